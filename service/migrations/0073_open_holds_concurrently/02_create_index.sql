-- Ledger: holds that are open, oldest first, for operators.
create index concurrently hold_open_idx on hold (created_at, id) where state = 'open';
