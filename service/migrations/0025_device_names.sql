-- Imports keep what was changed here: `import --since` brings rows that the source changed.

-- When the owner last renamed the device in this service; null: as registered or imported.
alter table device add column renamed_at timestamptz;
