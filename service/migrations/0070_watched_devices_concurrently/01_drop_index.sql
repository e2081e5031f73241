-- Notifications: what a killed run has left of the index.
drop index concurrently if exists device_user_watched_idx;
