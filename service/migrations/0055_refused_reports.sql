-- Refused reports that traffic_report cannot hold, for the owner of the device to see: malformed ones, and those whose ID
-- another report had. The newest of each device only.
create table refused_report (
  id bigint generated always as identity constraint refused_report_pkey primary key,
  device_id bigint not null constraint refused_report_device_fkey references device (id),
  client_id text not null,
  -- The same report sent again is one.
  content_hash text not null,
  report_id text not null,
  bytes numeric(78, 0),
  from_at timestamptz,
  to_at timestamptz,
  refusal text not null,
  refusal_reason text not null,
  received_at timestamptz not null,
  constraint refused_report_content_key unique (device_id, client_id, content_hash),
  -- What was measured is known whole or not at all.
  constraint refused_report_measured_check check ((bytes is null) = (from_at is null) and (from_at is null) = (to_at is null))
);
