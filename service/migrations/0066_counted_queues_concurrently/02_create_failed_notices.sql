-- Sign-in: logout tokens that an application did not take, which are counted.
create index concurrently logout_notice_failed_idx on logout_notice (created_at)
  where next_attempt_at is null;
