-- Notifications: of users, and the choice of them.

-- A choice that differs from the default of its kind and channel; without a row the default holds.
create table notification_choice (
  user_id bigint not null
    constraint notification_choice_user_fkey references app_user (id),
  kind text not null constraint notification_choice_kind_check
    check (kind in ('device_offline', 'deposit', 'payout', 'sign_in', 'reward_day')),
  channel text not null constraint notification_choice_channel_check
    check (channel in ('bell', 'mail', 'push')),
  is_on boolean not null,
  constraint notification_choice_pkey primary key (user_id, kind, channel)
);

-- Further choices of a user; without a row the defaults hold.
create table notification_setting (
  user_id bigint
    constraint notification_setting_pkey primary key
    constraint notification_setting_user_fkey references app_user (id),
  -- For how long a device is not heard before its owner is notified. Null: the default.
  offline_minutes int constraint notification_setting_offline_check
    check (offline_minutes between 15 and 10080)
);

-- A message to a user: a code with details, which readers put into words.
create table notification (
  id bigint generated always as identity constraint notification_pkey primary key,
  user_id bigint not null
    constraint notification_user_fkey references app_user (id),
  kind text not null constraint notification_kind_check
    check (kind in ('device_offline', 'deposit', 'payout', 'sign_in', 'reward_day')),
  code text not null,
  details jsonb not null,
  -- What it is about, once for each user: a second run of the job that makes it adds none.
  cause text not null,
  created_at timestamptz not null,
  -- Null: unread.
  read_at timestamptz,
  constraint notification_cause_key unique (user_id, cause)
);
create index notification_user_idx on notification (user_id, id desc);
create index notification_unread_idx on notification (user_id) where read_at is null;
create index notification_created_at_idx on notification (created_at);

-- How far each job has come that makes notifications.
create table notification_progress (
  task text
    constraint notification_progress_pkey primary key
    constraint notification_progress_task_check check (task in ('events', 'devices', 'rewards')),
  -- Task events: position of the last event. Others: the user up to whom all were looked at.
  position bigint not null,
  -- Task devices: devices of the user `position` up to this one were looked at.
  node_id text not null default '',
  -- Task devices: when the round began. Null: no round is under way.
  started_at timestamptz,
  -- Task rewards: the day whose sums come next. Null: none yet.
  day date
);
insert into notification_progress (task, position)
  select 'events', last_position from event_counter
  union all values ('devices', 0), ('rewards', 0);

-- The last silence of each device for which its owner has a notification: since when.
create table device_silence (
  device_id bigint
    constraint device_silence_pkey primary key
    constraint device_silence_device_fkey references device (id),
  heard_at timestamptz not null
);

-- Since when the job that looks for silent devices has run without a break. Unlogged, as the live
-- connections: when these are lost, so is this row, and silences are looked for again later.
create unlogged table device_watch (
  id int
    constraint device_watch_pkey primary key
    constraint device_watch_one check (id = 1),
  since timestamptz not null,
  ran_at timestamptz not null
);
