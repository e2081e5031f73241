-- Events: a time is finite, or streams and metrics cannot read it.

-- Rows from before are not read here; the cleaner and its metric pass one over that is not.
alter table event add constraint event_created_at_check check (isfinite(created_at)) not valid;
