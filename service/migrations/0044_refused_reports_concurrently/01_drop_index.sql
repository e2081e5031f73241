-- Devices: what a killed run has left of the index.
drop index concurrently if exists refused_report_received_idx;
