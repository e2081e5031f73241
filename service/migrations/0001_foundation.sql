-- Extensions and the tables of the foundation: idempotency, rate limits, mail.
create extension if not exists pg_trgm;
create extension if not exists unaccent;

-- One row per (caller, route, key): the answer that a repeated request gets again.
create table idempotency (
  caller text not null,
  route text not null,
  key text not null,
  request_hash text not null,
  status int not null,
  body text not null,
  body_strings text not null,
  created_at timestamptz not null default now(),
  constraint idempotency_pkey primary key (caller, route, key)
);
create index idempotency_created_at_idx on idempotency (created_at);

-- Fixed windows; losing them in a crash loses only counters.
create unlogged table rate_limit (
  subject text not null,
  window_start timestamptz not null,
  hits int not null,
  constraint rate_limit_pkey primary key (subject, window_start)
);
create index rate_limit_window_start_idx on rate_limit (window_start);

-- Mail waits here in the transaction that caused it; a job sends it. Without SMTP this is the development mailbox.
create table mail (
  id bigint generated always as identity constraint mail_pkey primary key,
  recipient text not null,
  subject text not null,
  body text not null,
  created_at timestamptz not null,
  sent_at timestamptz,
  attempts int not null default 0,
  next_attempt_at timestamptz not null,
  last_error text
);
create index mail_pending_idx on mail (next_attempt_at) where sent_at is null;
