-- Sign-in with accounts of other OpenID providers (ADR 0097).

-- Providers that the operator has set up.
create table upstream_provider (
  id text constraint upstream_provider_pkey primary key,
  label text not null,
  issuer text not null,
  client_id text not null,
  -- What authenticates this service at the provider, encrypted; null: a public client.
  secret_sealed bytea,
  scopes text[] not null,
  -- Values of `amr` in an ID token that count as the second factor.
  second_factor_amr text[] not null,
  -- How the provider sends the browser back: `query` or `form_post`.
  response_mode text not null,
  is_enabled boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- Accounts of providers that users have linked. Issuer and subject name one (OpenID Connect
-- Core 2), so that a provider that is set up again finds them.
create table upstream_identity (
  id bigint generated always as identity constraint upstream_identity_pkey primary key,
  user_id bigint not null
    constraint upstream_identity_user_fkey references app_user (id) on delete cascade,
  issuer text not null,
  subject text not null,
  -- As the provider named it at the last sign-in.
  email text,
  linked_at timestamptz not null,
  last_used_at timestamptz not null,
  constraint upstream_identity_subject_key unique (issuer, subject)
);
create index upstream_identity_user_idx on upstream_identity (user_id);

-- A login ticket whose first step was a provider; the second step links its account.
alter table ticket add column upstream_issuer text;
alter table ticket add column upstream_subject text;
alter table ticket add column upstream_email text;
