-- Mail: codes go first and expire, and recipients with a slow server wait apart.

alter table mail
  -- Null for a mail without a code; an expired code is dropped.
  add column expires_at timestamptz,
  -- The server of the recipient took too long once.
  add column is_slow boolean not null default false;
drop index mail_pending_idx;
create index mail_pending_idx on mail (is_slow, next_attempt_at)
  where sent_at is null and expires_at is null;
create index mail_pending_code_idx on mail (is_slow, id)
  where sent_at is null and expires_at is not null;
