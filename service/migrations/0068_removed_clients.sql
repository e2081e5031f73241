-- OpenID provider: an application that is removed is out of use at once. It may have a consent of
-- every user: a job deletes these in batches, and then the row.
alter table oauth_client
  add column removed_at timestamptz,
  -- An instance of the version before gives it no tokens either. No row is removed yet.
  add constraint oauth_client_removed_check
    check (removed_at is null or not is_enabled) not valid;
