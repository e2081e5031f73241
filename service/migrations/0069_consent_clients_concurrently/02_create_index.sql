-- OpenID provider: the consents of an application, which are deleted with it.
create index concurrently consent_client_idx on consent (client_id, user_id);
