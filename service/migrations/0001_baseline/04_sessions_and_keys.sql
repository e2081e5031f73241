-- Sessions and keys: signing keys, sessions, and revocations of tokens.

-- Keys that sign tokens. At most one signs (current). The next one is published long before it
-- signs. A retiring one still verifies.
create table signing_key (
  -- RFC 7638 thumbprint of the public key.
  kid text constraint signing_key_pkey primary key,
  state text not null
    constraint signing_key_state_check check (state in ('next', 'current', 'retiring')),
  public_jwk jsonb not null,
  -- PKCS #8, encrypted with a key derived from the master key (AES-256-GCM, bound to the kid).
  sealed_private_key text not null,
  created_at timestamptz not null,
  -- When the key becomes, or became, current.
  activates_at timestamptz not null,
  -- When a retiring key is deleted; null in other states.
  removes_at timestamptz,
  constraint signing_key_removes_at_check
    check ((state = 'retiring') = (removes_at is not null))
);
create unique index signing_key_one_current_idx on signing_key (state) where state = 'current';
create unique index signing_key_one_next_idx on signing_key (state) where state = 'next';

-- A session begins at sign-in. Its tokens carry its sid and do not outlive it.
create table user_session (
  sid text constraint user_session_pkey primary key,
  user_id bigint not null constraint user_session_user_fkey references app_user (id),
  -- The OAuth client that began it; null: the service itself.
  client_id text,
  -- Authentication methods (RFC 8176).
  amr text[] not null,
  auth_time timestamptz not null,
  expires_at timestamptz not null,
  ip text,
  user_agent text,
  created_at timestamptz not null,
  ended_at timestamptz,
  end_reason text,
  constraint user_session_end_check check ((ended_at is null) = (end_reason is null))
);
create index user_session_user_idx on user_session (user_id, created_at desc);
create index user_session_expires_at_idx on user_session (expires_at);

-- Revocations of tokens that are already issued. Every instance caches the rows until the
-- tokens concerned have expired.
create table token_revocation (
  id bigint generated always as identity constraint token_revocation_pkey primary key,
  -- What is revoked.
  kind text not null constraint token_revocation_kind_check
    check (kind in ('jti', 'sid', 'grant', 'user', 'node', 'client', 'connection', 'all')),
  -- Id of the token, session, grant, user, ...; kind connection: '<user_id> <client_id>'.
  value text not null,
  reason text not null,
  -- Kind user: a session that is not revoked.
  spared_sid text,
  -- Kinds user, node, client, connection and all apply to tokens issued up to this instant.
  effective_at timestamptz not null,
  -- When the last affected token has expired, and the row may be deleted.
  until timestamptz not null,
  -- Readers poll by transaction id: rows become visible in the order of commits, not of ids.
  xid xid8 not null default pg_current_xact_id()
);
create index token_revocation_xid_idx on token_revocation (xid);
create index token_revocation_until_idx on token_revocation (until);
create index token_revocation_kind_value_idx on token_revocation (kind, value);

-- DPoP proofs (RFC 9449) that were accepted, until they expire: each is accepted once in the whole
-- service. Unlogged: after a crash of the database server a proof of the last minute could be
-- accepted a second time.
create unlogged table dpop_proof (
  id text constraint dpop_proof_pkey primary key,
  expires_at timestamptz not null
);
create index dpop_proof_expires_at_idx on dpop_proof (expires_at);
