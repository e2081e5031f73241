-- Notifications by Web Push: the browsers of users, and what waits for each.

alter table notification add column by_push boolean not null default false;

-- A browser to which notifications of a user are pushed (RFC 8030).
create table push_subscription (
  id bigint generated always as identity constraint push_subscription_pkey primary key,
  user_id bigint not null
    constraint push_subscription_user_fkey references app_user (id),
  -- The session that turned it on, or was last opened in the browser: its end deletes the row.
  sid text not null,
  -- SHA-256 of the address of the browser at its push service. The address lets anyone send who
  -- knows it, so it is encrypted; a browser has one row, of the user who turned it on last.
  endpoint_hash bytea not null constraint push_subscription_endpoint_key unique,
  -- The address and the keys of the browser (RFC 8291), under the key of the user.
  target_sealed bytea not null,
  -- How the browser names itself, under the key of the user.
  sealed bytea not null,
  -- Of the texts that are pushed.
  language text not null,
  created_at timestamptz not null,
  -- When the push service last took a message. Null: none yet.
  sent_at timestamptz,
  -- Failures since then.
  failures int not null default 0,
  -- When messages are sent next. Null: none waits, or an instance is at it.
  due_at timestamptz,
  -- Until when an instance is at it. Null: none.
  claimed_until timestamptz
);
create index push_subscription_user_idx on push_subscription (user_id, id desc);
create index push_subscription_sid_idx on push_subscription (sid);
create index push_subscription_due_idx on push_subscription (coalesce(claimed_until, due_at))
  where coalesce(claimed_until, due_at) is not null;

-- A notification that waits for a browser; deleted when its push service has taken it.
create table push_message (
  subscription_id bigint not null constraint push_message_subscription_fkey
    references push_subscription (id) on delete cascade,
  notification_id bigint not null constraint push_message_notification_fkey
    references notification (id) on delete cascade,
  constraint push_message_pkey primary key (subscription_id, notification_id)
);
create index push_message_notification_idx on push_message (notification_id);

-- The end of a session, here or from elsewhere, ends what is pushed to its browser. A session
-- that expires by itself ends nothing: notifications are for those who are away.
create function drop_push_subscriptions() returns trigger language plpgsql as $$
begin
  delete from push_subscription p
  using session_after s join session_before b on b.sid = s.sid
  where p.sid = s.sid and b.ended_at is null and s.ended_at is not null;
  return null;
end
$$;
create trigger user_session_ended_push after update on user_session
  referencing old table as session_before new table as session_after
  for each statement execute function drop_push_subscriptions();
