-- A run of settlement that cannot go on: why, and the operator's word that it be closed without what is left of it.
alter table reward_batch
  -- Why the last try failed; null: it did not, or none has.
  add column failure text,
  add column closed_at timestamptz,
  add column closed_by text,
  add column close_reason text;
