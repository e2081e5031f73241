-- When a device last asked for the tokens of its code, and how long it has to wait before it asks again.
alter table oidc_object add column polled_at timestamptz, add column poll_every_s integer;
