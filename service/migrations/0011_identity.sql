-- Sign-in: tickets and their email codes, registrations under way, second factors, the security log.

-- An account exists only once its address is proven; until then it waits here.
create table registration (
  ticket_hash text constraint registration_pkey primary key,
  email text not null,
  email_key text not null,
  nickname text not null,
  password_hash text not null,
  referrer_id bigint constraint registration_referrer_fkey references app_user (id),
  -- The address has an account already: the answer is the same, but no code will ever be right.
  is_decoy boolean not null,
  tries_left int not null constraint registration_tries_check check (tries_left >= 0),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  consumed_at timestamptz
);
create index registration_expires_at_idx on registration (expires_at);

-- A proof under way: 256 random bits in the caller's hands, their hash here. Used once, by a conditional UPDATE.
create table ticket (
  ticket_hash text constraint ticket_pkey primary key,
  purpose text not null constraint ticket_purpose_check check (purpose in ('login', 'reset', 'reauthenticate', 'email_change', 'passkey')),
  -- Null: a decoy, for an address without an account.
  user_id bigint constraint ticket_user_fkey references app_user (id) on delete cascade,
  email_key text not null,
  -- The browser that asked, where it is one of ours: hash of its cookie.
  browser_hash text,
  -- The session that asked, for tickets of a signed-in person.
  sid text,
  tries_left int not null constraint ticket_tries_check check (tries_left >= 0),
  -- The ticket's email code is derived from the ticket, so only its counters are stored. Null expiry: none was sent.
  code_expires_at timestamptz,
  code_sends_left int not null constraint ticket_code_sends_check check (code_sends_left >= 0),
  code_tries_left int not null constraint ticket_code_tries_check check (code_tries_left >= 0),
  code_used_at timestamptz,
  -- Hash of the live passkey challenge.
  challenge_hash text,
  new_email text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  consumed_at timestamptz
);
create index ticket_expires_at_idx on ticket (expires_at);
create index ticket_user_idx on ticket (user_id);

-- What a person set about their security, and what follows from a reset by email.
create table user_security (
  user_id bigint constraint user_security_pkey primary key constraint user_security_user_fkey references app_user (id) on delete cascade,
  -- EMAIL as a second factor although a stronger one is enrolled.
  is_email_factor_on boolean not null default false,
  email_factor_barred_until timestamptz,
  money_frozen_until timestamptz
);

create table authenticator (
  user_id bigint constraint authenticator_pkey primary key constraint authenticator_user_fkey references app_user (id) on delete cascade,
  secret_sealed bytea not null,
  -- The last time step that was accepted; a step serves once.
  last_step bigint not null default 0,
  created_at timestamptz not null,
  confirmed_at timestamptz
);

create table recovery_code (
  user_id bigint not null constraint recovery_code_user_fkey references app_user (id) on delete cascade,
  salt text not null,
  code_hash text not null,
  used_at timestamptz,
  constraint recovery_code_pkey primary key (user_id, code_hash)
);

create table passkey (
  id bigint generated always as identity constraint passkey_pkey primary key,
  user_id bigint not null constraint passkey_user_fkey references app_user (id) on delete cascade,
  credential_id text not null constraint passkey_credential_key unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  -- Kept in one authenticator, or synchronized between several.
  is_synced boolean not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkey_user_idx on passkey (user_id);

-- A signed-in person proved password and second factor again.
create table reauthentication (
  sid text constraint reauthentication_pkey primary key,
  user_id bigint not null constraint reauthentication_user_fkey references app_user (id) on delete cascade,
  at timestamptz not null
);
create index reauthentication_at_idx on reauthentication (at);

-- What a person can read about the safety of their account; written in the transaction of what it tells.
create table security_event (
  id bigint generated always as identity constraint security_event_pkey primary key,
  user_id bigint not null constraint security_event_user_fkey references app_user (id) on delete cascade,
  type text not null,
  ip text not null,
  user_agent text not null,
  details jsonb not null,
  created_at timestamptz not null
);
create index security_event_user_idx on security_event (user_id, id desc);
create index security_event_signed_in_idx on security_event (user_id, ip, created_at) where type = 'signed_in';
create index security_event_created_at_idx on security_event (created_at);
