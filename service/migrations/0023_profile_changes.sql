-- Imports keep what was changed here: `import --since` brings rows that the source changed.

-- When email, nickname or status were last changed in this service; null: as registered or
-- imported.
alter table app_user add column profile_changed_at timestamptz;
