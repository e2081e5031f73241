-- OpenID provider: what a killed run has left of the index.
drop index concurrently if exists logout_notice_client_idx;
