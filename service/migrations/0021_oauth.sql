-- OAuth clients, and what the OpenID provider remembers.

create table oauth_client (
  client_id text constraint oauth_client_pkey primary key,
  name text not null,
  -- A public client has no secret.
  secret_hash text,
  redirect_uris text[] not null,
  scopes text[] not null,
  grant_types text[] not null,
  is_first_party boolean not null,
  is_enabled boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- Interactions, codes, grants, sessions and refresh tokens of the provider. Codes and tokens are stored by hash.
create table oidc_object (
  model text not null,
  id text not null,
  payload json not null,
  grant_id text,
  uid text,
  user_code text,
  consumed_at timestamptz,
  expires_at timestamptz not null,
  constraint oidc_object_pkey primary key (model, id)
);
create index oidc_object_grant_idx on oidc_object (grant_id) where grant_id is not null;
create index oidc_object_uid_idx on oidc_object (model, uid) where uid is not null;
create unique index oidc_object_user_code_idx on oidc_object (user_code) where user_code is not null;
create index oidc_object_expires_at_idx on oidc_object (expires_at);

-- A person's decision about one authorization request, waiting for the browser that began it.
create table consent_decision (
  interaction_id text constraint consent_decision_pkey primary key,
  -- Hash of the one-time secret that `redirect_to` carries.
  secret_hash text not null,
  user_id bigint not null constraint consent_decision_user_fkey references app_user (id),
  sid text,
  amr text[] not null,
  auth_time timestamptz not null,
  is_allowed boolean not null,
  scopes text[] not null,
  expires_at timestamptz not null
);
create index consent_decision_expires_at_idx on consent_decision (expires_at);

-- What a person has allowed a client, once and for the next time.
create table consent (
  user_id bigint not null constraint consent_user_fkey references app_user (id),
  client_id text not null constraint consent_client_fkey references oauth_client (client_id) on delete cascade,
  scopes text[] not null,
  -- False where each sign-in asks again: the row then only lists the connection.
  is_remembered boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint consent_pkey primary key (user_id, client_id)
);
