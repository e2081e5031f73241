-- The last hour whose time online is in `uptime_ms`; null: not known. Says what had been counted by an earlier hour.
alter table reward_user add column counted_until timestamptz;
