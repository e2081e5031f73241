-- Ledger: what a killed run has left of the index.
drop index concurrently if exists hold_open_idx;
