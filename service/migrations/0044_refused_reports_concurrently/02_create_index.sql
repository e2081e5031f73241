-- Devices: refused reports of all devices, newest first, for operators.
create index concurrently refused_report_received_idx on refused_report (received_at, device_id);
