-- Notifications: what a killed run has left of the index.
drop index concurrently if exists push_subscription_counted_idx;
