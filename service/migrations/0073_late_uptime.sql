-- Time online that was written after its hour had ended: settlement looks whether it had paid that hour already.
create table late_uptime (
  hour timestamptz not null,
  device_id bigint not null constraint late_uptime_device_fkey references device (id),
  changed_at timestamptz not null,
  constraint late_uptime_pkey primary key (hour, device_id)
);
create index late_uptime_changed_idx on late_uptime (changed_at);
