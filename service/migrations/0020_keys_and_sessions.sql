-- Signing keys, sessions, and the feed of what was done to tokens since they were issued.

-- At most one key signs; the next one is published long before it does; retiring ones still verify.
create table signing_key (
  -- RFC 7638 thumbprint of the public key.
  kid text constraint signing_key_pkey primary key,
  state text not null constraint signing_key_state_check check (state in ('next', 'current', 'retiring')),
  public_jwk jsonb not null,
  -- PKCS #8, encrypted with a key derived from the master key (AES-256-GCM, bound to the kid).
  sealed_private_key text not null,
  created_at timestamptz not null,
  -- When the next key takes over.
  activates_at timestamptz not null,
  -- When a retiring key is forgotten; null before it retires.
  removes_at timestamptz,
  constraint signing_key_removes_at_check check ((state = 'retiring') = (removes_at is not null))
);
create unique index signing_key_one_current_idx on signing_key (state) where state = 'current';
create unique index signing_key_one_next_idx on signing_key (state) where state = 'next';

-- A person's sign-in. Every token of it carries its sid and never outlives it.
create table user_session (
  sid text constraint user_session_pkey primary key,
  user_id bigint not null constraint user_session_user_fkey references app_user (id),
  client_id text,
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

-- Offline grants made before this instant give nothing any more ("log out everywhere").
alter table app_user add column grants_valid_after timestamptz;

-- What happened to tokens after they were issued: every node keeps these rows in memory until they no longer matter.
create table token_change (
  id bigint generated always as identity constraint token_change_pkey primary key,
  kind text not null constraint token_change_kind_check check (kind in ('jti', 'sid', 'grant', 'user', 'node', 'client', 'connection', 'bind_jti', 'bind_grant')),
  value text not null,
  -- Why a token was revoked.
  reason text,
  -- The node that a token was bound to.
  node_id text,
  -- A session that a revocation of all the user's tokens spares.
  spared_sid text,
  -- `user`, `node`, `client` and `connection` (a person and a client) concern tokens issued up to this instant.
  effective_at timestamptz not null,
  -- After this instant every token concerned has expired.
  until timestamptz not null,
  -- Readers poll by transaction, because ids become visible in the order of commits, not of ids.
  xid xid8 not null default pg_current_xact_id(),
  constraint token_change_shape_check check ((kind like 'bind%') = (node_id is not null) and (kind like 'bind%') = (reason is null))
);
create index token_change_xid_idx on token_change (xid);
create index token_change_until_idx on token_change (until);
create index token_change_kind_value_idx on token_change (kind, value);
