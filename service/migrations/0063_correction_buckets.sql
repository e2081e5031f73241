-- Rewards: corrections are computed in buckets of users, each in a transaction of its own
-- (ADR 0138), and the sums of a settlement are added up as its lines are hashed.

alter table reward_batch
  -- Kind correction: the hour that is being corrected, all before it are, and the leaf at which its
  -- lines begin. The column step says what of it is done. Null: none yet, or all are.
  add column late_hour timestamptz,
  add column late_leaf bigint;
alter table reward_batch add constraint reward_batch_late_check check (
  (late_hour is null) = (late_leaf is null)
  and (late_hour is null or kind = 'correction' and step is not null)
) not valid;
alter table reward_batch validate constraint reward_batch_late_check;

-- What is not computed yet of the hour that a correction is at: first its devices that changed,
-- then the referrers whose referees have other lines now. Rows are deleted with each bucket.
create table reward_late (
  batch_id bigint not null,
  -- The owner of the device, or the referrer.
  user_id bigint not null,
  -- 0: a referrer.
  device_id bigint not null,
  -- Level of the referrer; 0: a device.
  level smallint not null,
  constraint reward_late_pkey primary key (batch_id, user_id, device_id, level),
  constraint reward_late_kind_check check ((device_id = 0) <> (level = 0))
);
alter table reward_late set (
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

-- What the lines of the subtree pay and take, without those that the ledger refused. Null: an
-- instance of the version before hashed it.
alter table reward_chunk
  add column credits numeric(78,0),
  add column debits numeric(78,0);
