-- Devices, the tokens bound to them, when they were last heard, and their hourly usage.

create table device (
  id bigint generated always as identity constraint device_pkey primary key,
  -- The key's thumbprint where there is a key, else what the client chose.
  node_id text not null,
  user_id bigint not null constraint device_user_fkey references app_user (id),
  key_thumbprint text,
  device_type text not null constraint device_type_check check (device_type in ('TERMINAL', 'EXTENSION')),
  name text not null default '',
  browser text not null,
  extension_version text not null,
  os text not null,
  timezone text not null,
  capabilities text[] not null,
  requested_categories text[] not null,
  granted_categories text[] not null default '{}',
  -- Null while the device may work. Whether it is online is never stored.
  cut text constraint device_cut_check check (cut in ('disconnected', 'deleted')),
  cut_reason text,
  -- The last cut, kept after the device came back: grants older than it never qualify again.
  cut_at timestamptz,
  registered_address text not null,
  created_at timestamptz not null,
  -- The last registration that made it a working device: what was heard before does not count as being online.
  bound_at timestamptz not null,
  constraint device_key_is_node check (key_thumbprint = node_id),
  constraint device_cut_reason_check check ((cut is null) = (cut_reason is null) and (cut is null or cut_at is not null))
);
-- One living owner per node; a deleted one frees it for others and keeps its history.
create unique index device_node_living_key on device (node_id) where cut is distinct from 'deleted';
create unique index device_user_node_key on device (user_id, node_id);
create index device_address_idx on device (registered_address) where cut is distinct from 'deleted';

-- Tokens and grants that were bound to a device: what a cut revokes.
create table device_token (
  jti text constraint device_token_pkey primary key,
  grant_id text,
  device_id bigint not null constraint device_token_device_fkey references device (id),
  expires_at timestamptz not null
);
create index device_token_device_idx on device_token (device_id);
create index device_token_grant_idx on device_token (grant_id) where grant_id is not null;
create index device_token_expires_at_idx on device_token (expires_at);

-- Written in batches, once a second by each node; narrow, and without an index on what changes.
create table device_presence (
  device_id bigint constraint device_presence_pkey primary key constraint device_presence_device_fkey references device (id),
  heard_at timestamptz not null,
  -- The time heard before this one: the span between them was spent online when it is short enough.
  previous_at timestamptz not null,
  address text not null
) with (fillfactor = 70);

-- Time online and measured traffic of each device in each UTC hour.
create table device_hour (
  device_id bigint not null constraint device_hour_device_fkey references device (id),
  hour timestamptz not null,
  online_ms bigint not null default 0,
  bytes_up numeric(78, 0) not null default 0,
  bytes_down numeric(78, 0) not null default 0,
  constraint device_hour_pkey primary key (device_id, hour)
) with (fillfactor = 80);
create index device_hour_hour_idx on device_hour (hour, device_id);

-- Projection of device_hour: totals, so that a list of devices is not a sum over years.
create table device_usage (
  device_id bigint constraint device_usage_pkey primary key constraint device_usage_device_fkey references device (id),
  bytes_up numeric(78, 0) not null default 0,
  bytes_down numeric(78, 0) not null default 0
) with (fillfactor = 70);

-- What relays reported about devices that are known, refused reports with their reason included.
create table traffic_report (
  client_id text not null,
  report_id text not null,
  device_id bigint not null constraint traffic_report_device_fkey references device (id),
  content_hash text not null,
  bytes_up numeric(78, 0) not null,
  bytes_down numeric(78, 0) not null,
  category text,
  from_at timestamptz not null,
  to_at timestamptz not null,
  -- Stable code and words; null: accepted.
  refusal text,
  refusal_reason text,
  received_at timestamptz not null,
  constraint traffic_report_pkey primary key (client_id, report_id)
);
create index traffic_report_refused_idx on traffic_report (device_id, received_at desc) where refusal is not null;

-- Single-use tickets that let a browser open a live connection, by their hash.
create table connect_ticket (
  hash text constraint connect_ticket_pkey primary key,
  caller jsonb not null,
  expires_at timestamptz not null
);
create index connect_ticket_expires_at_idx on connect_ticket (expires_at);
