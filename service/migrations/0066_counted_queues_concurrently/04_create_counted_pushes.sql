-- Notifications: browsers for which pushes wait, which are counted, apart from those that failed.
create index concurrently push_subscription_counted_idx
  on push_subscription (least(failures, 1), coalesce(claimed_until, due_at))
  where coalesce(claimed_until, due_at) is not null;
