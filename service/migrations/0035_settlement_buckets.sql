-- Rewards: buckets of users, each computed in a transaction of its own (ADR 0109).

-- A bucket of a settlement: lines of devices, or referral rewards, of the users from first_user on.
-- A settlement without rows here has all of its lines in one tree.
create table reward_bucket (
  batch_id bigint not null,
  -- Number in the settlement, from 0. Its leaves begin at bucket * 2^32.
  bucket int not null,
  kind text not null
    constraint reward_bucket_kind_check check (kind in ('devices', 'referrals')),
  first_user bigint not null,
  -- Null: no user is beyond it.
  next_user bigint,
  -- Null: not computed yet.
  lines bigint,
  -- Merkle root over its lines; null: they are not all posted.
  root bytea,
  constraint reward_bucket_pkey primary key (batch_id, bucket)
);

-- Devices that an hour does not pay, with the reason. Limits per address concern devices of users
-- in several buckets: they are evaluated once, before the first bucket. Rows are deleted when the
-- hour is computed.
create table reward_limited (
  batch_id bigint not null,
  device_id bigint not null,
  reason text not null,
  constraint reward_limited_pkey primary key (batch_id, device_id)
);

-- What is done in buckets: lines of devices are computed, then referral rewards, then bills are
-- posted. Null: none of it, or the settlement has no buckets.
alter table reward_batch add column step text;
-- When the buckets were planned and the limits per address evaluated.
alter table reward_batch add column planned_at timestamptz;
-- When the last bucket was computed: later corrections read the hour from its beginning.
alter table reward_batch add column computed_at timestamptz;
-- Instances of the version before compute and end a settlement as a whole: neither may happen to
-- one with buckets.
alter table reward_batch add constraint reward_batch_step_check check (
  step is null
  or step in ('devices', 'referrals') and state = 'open'
  or step = 'bills' and state = 'posting'
) not valid;
