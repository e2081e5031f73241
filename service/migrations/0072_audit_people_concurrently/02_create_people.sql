-- Audit: entries about the money of a person, which name the person among their values.
create index concurrently audit_entry_user_idx on audit_entry ((after->>'user_id'), at, id)
  where (after->>'user_id') is not null;
