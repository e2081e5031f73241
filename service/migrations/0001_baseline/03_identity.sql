-- Identity: users, registration, sign-in tickets, second factors, and the security log.

-- A user. The row is created when the email address has been verified.
create table app_user (
  id bigint generated always as identity constraint app_user_pkey primary key,
  -- As the user typed it.
  email text not null,
  -- Lower-case form of the address, for comparison.
  email_key text not null constraint app_user_email_key_key unique,
  nickname text not null,
  -- argon2id of HMAC-SHA256(pepper, lower-case MD5 hex of the password). Null: closed account.
  password_hash text,
  referral_code text not null constraint app_user_referral_code_key unique,
  -- The referrer never changes. Its id is smaller, so the referral graph has no cycles.
  referrer_id bigint constraint app_user_referrer_fkey references app_user (id),
  status text not null default 'active'
    constraint app_user_status_check check (status in ('active', 'disabled', 'closed')),
  created_at timestamptz not null,
  -- Offline grants made before this instant are invalid ("log out everywhere").
  grants_valid_after timestamptz,
  -- Scopes that the user may request as an operator; set on the command line.
  operator_scopes text[] not null default '{}',
  constraint app_user_referrer_before check (referrer_id < id)
);
-- Direct referrals of a user, newest first.
create index app_user_referrer_idx on app_user (referrer_id, created_at desc, id desc);
-- The operator's list of users, by status.
create index app_user_status_idx on app_user (status, id desc);
-- Substring search. No pending list (fastupdate): users are added rarely, and each search would
-- have to scan the list.
create index app_user_email_search_idx on app_user
  using gin (email_key gin_trgm_ops) with (fastupdate = off);
create index app_user_nickname_search_idx on app_user
  using gin (nickname gin_trgm_ops) with (fastupdate = off);

-- A registration whose email address is not verified yet.
create table registration (
  ticket_hash text constraint registration_pkey primary key,
  email text not null,
  email_key text not null,
  nickname text not null,
  -- As in app_user.
  password_hash text not null,
  referrer_id bigint constraint registration_referrer_fkey references app_user (id),
  -- The address already has an account: the responses are the same, but no code is accepted.
  is_decoy boolean not null,
  tries_left int not null constraint registration_tries_check check (tries_left >= 0),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  consumed_at timestamptz
);
create index registration_expires_at_idx on registration (expires_at);

-- A verification in progress: 256 random bits held by the caller, their hash here. A ticket is
-- consumed once, by a conditional UPDATE.
create table ticket (
  ticket_hash text constraint ticket_pkey primary key,
  purpose text not null constraint ticket_purpose_check
    check (purpose in ('login', 'reset', 'reauthenticate', 'email_change', 'passkey')),
  -- Null: a decoy, for an address without an account.
  user_id bigint constraint ticket_user_fkey references app_user (id) on delete cascade,
  email_key text not null,
  -- Hash of the requesting browser's cookie; null for other callers.
  browser_hash text,
  -- The requesting session, for tickets of a signed-in user.
  sid text,
  tries_left int not null constraint ticket_tries_check check (tries_left >= 0),
  -- The email code is derived from the ticket; only its counters are stored. Null: no code sent.
  code_expires_at timestamptz,
  code_sends_left int not null constraint ticket_code_sends_check check (code_sends_left >= 0),
  code_used_at timestamptz,
  -- Hash of the current passkey challenge.
  challenge_hash text,
  -- Purpose email_change: the address to change to.
  new_email text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  consumed_at timestamptz
);
create index ticket_expires_at_idx on ticket (expires_at);
create index ticket_user_idx on ticket (user_id);

-- Security settings of a user, and the restrictions after a password reset by email.
create table user_security (
  user_id bigint
    constraint user_security_pkey primary key
    constraint user_security_user_fkey references app_user (id) on delete cascade,
  -- Email codes are accepted as a second factor although a stronger one is enrolled.
  is_email_factor_on boolean not null default false,
  email_factor_barred_until timestamptz,
  -- Until then there are no conversions and withdrawals.
  money_frozen_until timestamptz
);

-- TOTP authenticator of a user (RFC 6238).
create table authenticator (
  user_id bigint
    constraint authenticator_pkey primary key
    constraint authenticator_user_fkey references app_user (id) on delete cascade,
  secret_sealed bytea not null,
  -- The last accepted time step; each step is accepted once.
  last_step bigint not null default 0,
  created_at timestamptz not null,
  -- Null until the first correct code.
  confirmed_at timestamptz
);

-- Single-use codes that replace the second factor.
create table recovery_code (
  user_id bigint not null
    constraint recovery_code_user_fkey references app_user (id) on delete cascade,
  salt text not null,
  code_hash text not null,
  used_at timestamptz,
  constraint recovery_code_pkey primary key (user_id, code_hash)
);

-- WebAuthn credentials.
create table passkey (
  id bigint generated always as identity constraint passkey_pkey primary key,
  user_id bigint not null constraint passkey_user_fkey references app_user (id) on delete cascade,
  credential_id text not null constraint passkey_credential_key unique,
  -- COSE key.
  public_key bytea not null,
  -- Signature counter of the authenticator.
  counter bigint not null,
  transports text[] not null,
  -- True: synchronized between devices; false: bound to one authenticator.
  is_synced boolean not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkey_user_idx on passkey (user_id);

-- When a session last proved password and second factor again (reauthentication).
create table reauthentication (
  sid text constraint reauthentication_pkey primary key,
  user_id bigint not null
    constraint reauthentication_user_fkey references app_user (id) on delete cascade,
  at timestamptz not null
);
create index reauthentication_at_idx on reauthentication (at);

-- Security log of a user, written in the transaction of the event.
create table security_event (
  id bigint generated always as identity constraint security_event_pkey primary key,
  user_id bigint not null
    constraint security_event_user_fkey references app_user (id) on delete cascade,
  type text not null,
  ip text not null,
  user_agent text not null,
  -- Values of the event, by type.
  details jsonb not null,
  created_at timestamptz not null
);
create index security_event_user_idx on security_event (user_id, id desc);
-- Known addresses of a user: guesses from others do not lock these out.
create index security_event_signed_in_idx on security_event (user_id, ip, created_at)
  where type in ('signed_in', 'registered');
create index security_event_created_at_idx on security_event (created_at);
