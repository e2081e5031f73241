-- Audit: what a killed run has left of the index.
drop index concurrently if exists audit_entry_other_user_idx;
