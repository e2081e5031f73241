-- Devices: reports of traffic name nodes, also of devices that were deleted since. Without this
-- each batch of reports read the whole table.
create index concurrently device_node_idx on device (node_id);
