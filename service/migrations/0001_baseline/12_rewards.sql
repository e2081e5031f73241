-- Rewards: rules, referees, settlements and their reward lines. Settlement computes them from
-- device_hour and traffic_hour (devices).

-- Versions of the rules. An activated version never changes.
create table reward_rules (
  version int generated always as identity constraint reward_rules_pkey primary key,
  -- Canonical JSON, and its hash.
  body text not null,
  body_hash text not null,
  is_draft boolean not null default true,
  created_by text not null,
  created_at timestamptz not null
);

-- The hour from which a version applies, until the next row.
create table reward_activation (
  hour timestamptz constraint reward_activation_pkey primary key,
  version int not null
    constraint reward_activation_version_fkey references reward_rules (version),
  activated_by text not null,
  activated_at timestamptz not null,
  constraint reward_activation_hour_check check (extract(epoch from hour)::bigint % 3600 = 0)
);

-- A user as a referee: whether referrers earn from the user's devices.
create table reward_user (
  user_id bigint constraint reward_user_pkey primary key,
  -- Settled online time in milliseconds, counted until the highest gate is passed.
  uptime_ms numeric(78,0) not null default 0,
  -- The last hour included in uptime_ms; null: unknown.
  counted_until timestamptz,
  -- Why rewards for this referee are on hold.
  hold_reason text,
  held_at timestamptz,
  released_at timestamptz,
  released_by text
) with (fillfactor = 70);
create index reward_user_held_idx on reward_user (held_at)
  where hold_reason is not null and released_at is null;

-- The first hour from which a referee counts for the referrer of a level. No row: not yet.
create table referral_eligibility (
  user_id bigint not null,
  level smallint not null,
  eligible_from timestamptz not null,
  constraint referral_eligibility_pkey primary key (user_id, level)
);

-- A settlement: one run.
create table reward_batch (
  id bigint generated always as identity constraint reward_batch_pkey primary key,
  -- A settled hour, the corrections of earlier hours, or the release of a referee's held lines.
  kind text not null
    constraint reward_batch_kind_check check (kind in ('hour', 'correction', 'release')),
  -- Kind hour: the settled hour; else the hour in which the settlement was made.
  hour timestamptz not null,
  -- reward_rules.version; 0 for a release.
  rule_version int not null,
  -- open: being computed; posting: lines are complete; settled: all are posted.
  state text not null
    constraint reward_batch_state_check check (state in ('open', 'posting', 'settled')),
  -- Kind correction: traffic that changed in [since, until).
  since timestamptz,
  until timestamptz,
  -- Kind release: the user whose lines are released.
  referee_id bigint,
  -- Derives the salt of each leaf. Secret.
  salt_key bytea not null,
  -- Number of lines, and of those that are hashed and posted.
  lines bigint not null default 0,
  posted bigint not null default 0,
  -- Sum of the lines, in minor units of the reward currency.
  amount numeric(78,0) not null default 0,
  -- Merkle root over the lines.
  root bytea,
  -- The transfer that records the root in the ledger.
  root_transfer bigint,
  created_at timestamptz not null,
  settled_at timestamptz,
  -- Error of the last attempt; null: none.
  failure text,
  -- An operator closed the settlement without its remaining lines.
  closed_at timestamptz,
  closed_by text,
  close_reason text,
  constraint reward_batch_settled_check check ((state = 'settled') = (settled_at is not null))
);
-- Instances that settle the same hour concurrently find the same settlement.
create unique index reward_batch_hour_key on reward_batch (hour) where kind = 'hour';
create unique index reward_batch_open_key on reward_batch (kind)
  where state <> 'settled' and kind = 'correction';
create index reward_batch_hour_idx on reward_batch (hour, id desc);

-- The reward lines of a settlement, each a leaf of its Merkle tree. Never changed.
create table reward_line (
  batch_id bigint not null,
  -- Number in the settlement, from 0.
  leaf bigint not null,
  -- The hour in which it was earned.
  hour timestamptz not null,
  -- The user who earns.
  user_id bigint not null,
  -- Null: a referral reward.
  device_id bigint,
  -- reward_rules.version
  rule_version int not null,
  -- Level of a referral reward; else 0.
  level smallint not null,
  -- Category of the traffic, or name of the campaign.
  part text not null,
  reward_type text not null,
  status text not null
    constraint reward_line_status_check check (status in ('paid', 'held', 'rejected')),
  node_id text not null,
  -- Held referral reward: the referee.
  referee_id bigint,
  -- Milliseconds online, bytes, minor units of the base, or reports.
  quantity numeric(78,0) not null,
  -- Minor units per hour, GB or report, or millionths of the base.
  rate numeric(78,0) not null,
  -- Part of the result that earlier lines have settled.
  settled_before numeric(78,0) not null,
  amount numeric(78,0) not null,
  reason text,
  -- traffic_report.id of the reports behind a line of traffic or penalties, and their hash, which
  -- the leaf contains. Null: none.
  report_ids bigint[],
  reports_hash bytea,
  constraint reward_line_pkey primary key (batch_id, leaf)
);
create index reward_line_user_idx on reward_line (user_id, hour);
-- Lines that wait for an operator's decision.
create index reward_line_held_idx on reward_line (referee_id) where status = 'held';

-- Roots of the subtrees of 512 leaves. The row shows that the lines of the subtree are posted.
create table reward_chunk (
  batch_id bigint not null,
  chunk bigint not null,
  root bytea not null,
  -- How leaves are hashed. 3: with the hash of the reports and the referee; 2: without.
  leaf_format smallint not null default 2,
  constraint reward_chunk_pkey primary key (batch_id, chunk)
);

-- Lines that the ledger refused.
create table reward_refusal (
  batch_id bigint not null,
  leaf bigint not null,
  -- Failure code.
  code text not null,
  constraint reward_refusal_pkey primary key (batch_id, leaf)
);
