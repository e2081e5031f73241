-- Webhooks: one that is deleted is out of use at once. Its messages may be millions: a job deletes
-- them in batches, and then the row.
alter table webhook
  add column removed_at timestamptz,
  -- An instance of the version before sends nothing to it either.
  add constraint webhook_removed_check check (removed_at is null or not is_active);
