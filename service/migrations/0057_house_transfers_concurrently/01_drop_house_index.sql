-- Ledger: what a killed run has left of the index.
drop index concurrently if exists transfer_house_idx;
