-- Foundation: extensions, and tables that belong to no single domain.
--
-- Conventions of all files in this folder:
--   * Constraints have names: <table>_<what>_<pkey|key|fkey|check>; indexes end in _idx or _key.
--   * Times are timestamptz and end in _at (or `at`, `until`); a day or hour is in UTC.
--   * Money is numeric(78,0), in minor units of its currency (see currency.scale).
--   * `sealed` columns are encrypted with a key derived from the master key (AES-256-GCM).
--   * Random tokens, codes and tickets are stored as hashes only.

create extension if not exists pg_trgm;
create extension if not exists unaccent;

-- Stored responses of requests with an Idempotency-Key. A repeated request gets the same response.
create table idempotency (
  -- The authenticated subject, the method with the route pattern, and the header's value.
  caller text not null,
  route text not null,
  key text not null,
  -- Hash of parameters and body: the same key with another request is an error.
  request_hash text not null,
  -- HTTP status code.
  status int not null,
  -- The response body as JSON: with exact numbers, and with amounts as strings.
  body text not null,
  body_strings text not null,
  created_at timestamptz not null default now(),
  constraint idempotency_pkey primary key (caller, route, key)
);
-- For the clean-up of old rows.
create index idempotency_created_at_idx on idempotency (created_at);

-- Outgoing mail, written in the transaction that causes it and sent by a job. Without SMTP this
-- table is the development mailbox.
create table mail (
  id bigint generated always as identity constraint mail_pkey primary key,
  -- Email address.
  recipient text not null,
  subject text not null,
  body text not null,
  created_at timestamptz not null,
  -- Null while the mail is pending.
  sent_at timestamptz,
  attempts int not null default 0,
  next_attempt_at timestamptz not null,
  -- Error of the last failed attempt.
  last_error text
);
create index mail_created_at_idx on mail (created_at);
create index mail_pending_idx on mail (next_attempt_at) where sent_at is null;

-- One row: a MAC made with the master key. A process with another master key refuses to start.
create table master_key_check (
  id int
    constraint master_key_check_pkey primary key
    constraint master_key_check_one check (id = 1),
  mac bytea not null
);
