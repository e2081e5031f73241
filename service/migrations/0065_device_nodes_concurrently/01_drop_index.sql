-- Devices: what a killed run has left of the index.
drop index concurrently if exists device_node_idx;
