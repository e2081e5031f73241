-- OpenID provider: the logout tokens of an application, which are deleted with it, failed ones
-- included.
create index concurrently logout_notice_client_idx on logout_notice (client_id, id);
