-- Sign-in with accounts of providers that return no nonce, as Telegram (ADR 0104).

-- False: requests have none, and PKCE alone binds the code.
alter table upstream_provider add column sends_nonce boolean not null default true;
