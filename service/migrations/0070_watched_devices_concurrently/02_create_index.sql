-- Notifications: devices in the order in which they are watched for silence. Deleted ones stay in
-- the table for ever.
create index concurrently device_user_watched_idx on device (user_id, node_id)
  where cut is null;
