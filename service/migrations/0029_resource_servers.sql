-- APIs of the operator that take access tokens of this service (RFC 8707).
create table resource_server (
  id text constraint resource_server_pkey primary key,
  name text not null,
  -- The resource indicator of requests, and `aud` of tokens.
  audience text not null constraint resource_server_audience_key unique,
  is_enabled boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- What their clients can be allowed. A name is unique: consents and clients hold names alone.
create table resource_scope (
  name text constraint resource_scope_pkey primary key,
  resource_server_id text not null constraint resource_scope_resource_server_fkey
    references resource_server (id) on delete cascade,
  -- Shown to the user who is asked for consent.
  description text not null
);
create index resource_scope_resource_server_idx on resource_scope (resource_server_id);
