-- Audit: entries of transfers between two people, for the one who was credited.
create index concurrently audit_entry_other_user_idx
  on audit_entry ((after->>'other_user_id'), at, id) where (after->>'other_user_id') is not null;
