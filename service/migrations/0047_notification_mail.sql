-- Notifications by mail: what is chosen, what is due, and how a mail is unsubscribed from.

alter table notification
  add column in_bell boolean not null default true,
  add column by_mail boolean not null default false,
  -- When it was sent; null: not by mail, or not yet.
  add column mailed_at timestamptz;
alter table notification_setting
  -- Null: the default, at most one mail an hour.
  add column digest text,
  -- Of mails and the times in them. Null: not known.
  add column language text,
  add column time_zone text;
alter table notification_setting add constraint notification_setting_digest_check
  check (digest in ('at_once', 'hourly', 'daily')) not valid;

-- When a user receives the next mail of notifications, and received the last one.
create table notification_mail (
  user_id bigint
    constraint notification_mail_pkey primary key
    constraint notification_mail_user_fkey references app_user (id),
  -- Null: nothing is due.
  due_at timestamptz,
  sent_at timestamptz
);
create index notification_mail_due_idx on notification_mail (due_at) where due_at is not null;

-- Where a request ends such mails (RFC 8058); deleted when the mail is sent.
alter table mail add column unsubscribe_url text;
