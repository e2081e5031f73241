-- Heartbeats of a live connection gather in memory for minutes, and several instances may write
-- the same time in any order: time online is a union of periods, not a sum.

-- The periods of the hour in which the device was online; online_ms is their length. Null: none,
-- or the whole hour (online_ms is 3,600,000), or counted by an earlier version of the service.
alter table device_hour add column online tstzmultirange;
