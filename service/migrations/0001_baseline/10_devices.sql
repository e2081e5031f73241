-- Devices: registrations, bound tokens, presence, usage, traffic reports, live connections.

-- A device of a user. Whether it is online is computed from device_presence, never stored.
create table device (
  id bigint generated always as identity constraint device_pkey primary key,
  -- Thumbprint of the device's key; without a key, an id chosen by the client.
  node_id text not null,
  user_id bigint not null constraint device_user_fkey references app_user (id),
  -- RFC 7638; null: a device without a key.
  key_thumbprint text,
  device_type text not null
    constraint device_type_check check (device_type in ('TERMINAL', 'EXTENSION')),
  name text not null default '',
  browser text not null,
  extension_version text not null,
  os text not null,
  timezone text not null,
  capabilities text[] not null,
  -- Traffic categories: requested by the device, and granted by the user.
  requested_categories text[] not null,
  granted_categories text[] not null default '{}',
  -- Null: the device is not revoked.
  cut text constraint device_cut_check check (cut in ('disconnected', 'deleted')),
  cut_reason text,
  -- The last revocation; kept when the device registers again. Earlier grants are refused.
  cut_at timestamptz,
  -- IP address of the registration.
  registered_address text not null,
  created_at timestamptz not null,
  -- Last registration. Presence from before it does not count as online.
  bound_at timestamptz not null,
  constraint device_key_is_node check (key_thumbprint = node_id),
  constraint device_cut_reason_check check (
    (cut is null) = (cut_reason is null) and (cut is null or cut_at is not null))
);
-- A device has one owner. A deleted device keeps its history and frees its identifier.
create unique index device_node_living_key on device (node_id)
  where cut is distinct from 'deleted';
create unique index device_user_node_key on device (user_id, node_id);
-- For the limit of devices per IP address.
create index device_address_idx on device (registered_address)
  where cut is distinct from 'deleted';

-- Version of a user's list of devices, increased by each change: a cached list is valid while its
-- version is the current one.
create table device_list (
  user_id bigint
    constraint device_list_pkey primary key
    constraint device_list_user_fkey references app_user (id),
  version bigint not null
) with (fillfactor = 70);

-- Periods in which a device was revoked: traffic measured in them does not count, even if it is
-- reported later.
create table device_gap (
  device_id bigint not null constraint device_gap_device_fkey references device (id),
  from_at timestamptz not null,
  to_at timestamptz not null,
  constraint device_gap_pkey primary key (device_id, from_at)
);

-- Tokens and grants that are bound to a device: its revocation revokes them.
create table device_token (
  jti text constraint device_token_pkey primary key,
  grant_id text,
  device_id bigint not null constraint device_token_device_fkey references device (id),
  expires_at timestamptz not null
);
create index device_token_device_idx on device_token (device_id);
create index device_token_grant_idx on device_token (grant_id) where grant_id is not null;
create index device_token_expires_at_idx on device_token (expires_at);

-- Last heartbeat of each device. Each instance writes its heartbeats in one statement a second, so
-- the row is small and no index has a changing column.
create table device_presence (
  device_id bigint
    constraint device_presence_pkey primary key
    constraint device_presence_device_fkey references device (id),
  heard_at timestamptz not null,
  -- The previous heartbeat: the time between the two is online time if it is short enough.
  previous_at timestamptz not null,
  -- IP address.
  address text not null
) with (fillfactor = 70);

-- Online time (milliseconds) and measured traffic (bytes) of a device in a UTC hour.
create table device_hour (
  device_id bigint not null constraint device_hour_device_fkey references device (id),
  hour timestamptz not null,
  online_ms bigint not null default 0,
  bytes_up numeric(78,0) not null default 0,
  bytes_down numeric(78,0) not null default 0,
  constraint device_hour_pkey primary key (device_id, hour)
) with (fillfactor = 80);
create index device_hour_hour_idx on device_hour (hour, device_id);

-- Total traffic of a device in bytes: the sum of its device_hour rows.
create table device_usage (
  device_id bigint
    constraint device_usage_pkey primary key
    constraint device_usage_device_fkey references device (id),
  bytes_up numeric(78,0) not null default 0,
  bytes_down numeric(78,0) not null default 0
) with (fillfactor = 70);

-- Traffic of a device in a UTC hour by category, from the same reports as device_hour. Rewards are
-- computed from it.
create table traffic_hour (
  hour timestamptz not null,
  device_id bigint not null constraint traffic_hour_device_fkey references device (id),
  -- Empty: the report had none.
  category text not null,
  bytes numeric(78,0) not null,
  -- When a report last changed the row: finds hours that changed after their settlement.
  changed_at timestamptz not null,
  constraint traffic_hour_pkey primary key (hour, device_id, category)
) with (fillfactor = 80);
create index traffic_hour_changed_idx on traffic_hour (changed_at);

-- Online time that was written after the end of its hour: settlement checks whether it has settled
-- that hour already.
create table late_uptime (
  hour timestamptz not null,
  device_id bigint not null constraint late_uptime_device_fkey references device (id),
  changed_at timestamptz not null,
  constraint late_uptime_pkey primary key (hour, device_id)
);
create index late_uptime_changed_idx on late_uptime (changed_at);

-- Traffic reports of relays about registered devices, accepted and rejected.
create table traffic_report (
  -- Number by which reward_line.report_ids refers to it.
  id bigint generated always as identity constraint traffic_report_id_key unique,
  -- The relay's OAuth client, and its own id of the report.
  client_id text not null,
  report_id text not null,
  device_id bigint not null constraint traffic_report_device_fkey references device (id),
  content_hash text not null,
  bytes_up numeric(78,0) not null,
  bytes_down numeric(78,0) not null,
  category text,
  -- The period that was measured.
  from_at timestamptz not null,
  to_at timestamptz not null,
  -- Failure code and message; null: accepted.
  refusal text,
  reason_code text,
  reason_values jsonb,
  received_at timestamptz not null,
  constraint traffic_report_pkey primary key (client_id, report_id)
);
create index traffic_report_device_idx on traffic_report (device_id, from_at);
create index traffic_report_to_idx on traffic_report (to_at);
create index traffic_report_refused_idx on traffic_report (device_id, received_at desc)
  where refusal is not null;
create index traffic_report_refused_at_idx on traffic_report (received_at, device_id)
  where refusal is not null;

-- Rejected reports that traffic_report cannot hold, shown to the device's owner: malformed ones,
-- and those with the id of another report. Only the newest of each device are kept.
create table refused_report (
  id bigint generated always as identity constraint refused_report_pkey primary key,
  device_id bigint not null constraint refused_report_device_fkey references device (id),
  client_id text not null,
  -- A report that is sent again is stored once.
  content_hash text not null,
  report_id text not null,
  -- Total bytes and period; null: could not be read.
  bytes numeric(78,0),
  from_at timestamptz,
  to_at timestamptz,
  refusal text not null,
  reason_code text not null,
  reason_values jsonb not null,
  received_at timestamptz not null,
  constraint refused_report_content_key unique (device_id, client_id, content_hash),
  constraint refused_report_measured_check check (
    (bytes is null) = (from_at is null) and (from_at is null) = (to_at is null))
);

-- Single-use tickets with which a browser opens a live connection.
create table connect_ticket (
  hash text constraint connect_ticket_pkey primary key,
  -- The authenticated caller that asked for the ticket.
  caller jsonb not null,
  expires_at timestamptz not null
);
create index connect_ticket_expires_at_idx on connect_ticket (expires_at);

-- Instances with live connections. Unlogged, as the next table: after a crash of the database
-- server each instance finds its row missing and writes its connections again.
create unlogged table connection_node (
  node uuid constraint connection_node_pkey primary key,
  -- End of the lease. An instance that does not renew it has ended, and so have its connections.
  alive_until timestamptz not null
);

-- The live connection of each device, over all instances: for limits, and for the replacement of
-- an older connection by a newer one.
create unlogged table live_connection (
  device_id bigint constraint live_connection_pkey primary key,
  user_id bigint not null,
  -- IP address.
  address text not null,
  node uuid not null,
  -- From the sequence below: the newer connection has the larger number.
  number bigint not null,
  -- The instance whose connection was replaced by the last write; it must close connections with
  -- a smaller number.
  loser uuid
);
create index live_connection_user_idx on live_connection (user_id);
create index live_connection_address_idx on live_connection (address);
create index live_connection_node_idx on live_connection (node);
-- Numbers, not times: the clocks of instances differ.
create sequence live_connection_number;
