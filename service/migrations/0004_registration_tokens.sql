-- OpenID provider: dynamic registration of clients.

-- Initial access tokens (RFC 7591): each registers a number of clients until it expires.
create table registration_token (
  token_hash text constraint registration_token_pkey primary key,
  uses_left integer not null constraint registration_token_uses_left_check check (uses_left >= 0),
  -- Scopes that the clients may be registered for.
  scopes text[] not null,
  -- The client of the operator who issued it.
  issued_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index registration_token_expires_at_idx on registration_token (expires_at);
