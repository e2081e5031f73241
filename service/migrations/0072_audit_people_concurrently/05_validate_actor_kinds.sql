-- Audit: the kinds of actors are checked while entries are written.
alter table audit_entry validate constraint audit_entry_actor_kind_check;
