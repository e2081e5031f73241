-- Audit: what a killed run has left of the index.
drop index concurrently if exists audit_entry_user_idx;
