-- When devices were cut off, kept after they came back: what relays measured then does not count, whenever it arrives.
create table device_gap (
  device_id bigint not null constraint device_gap_device_fkey references device (id),
  from_at timestamptz not null,
  to_at timestamptz not null,
  constraint device_gap_pkey primary key (device_id, from_at)
);
