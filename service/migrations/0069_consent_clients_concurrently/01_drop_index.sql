-- OpenID provider: what a killed run has left of the index.
drop index concurrently if exists consent_client_idx;
