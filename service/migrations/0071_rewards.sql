-- Rewards: what devices did by category, rules and when they apply, settled batches and their lines.

-- Traffic of each device in each UTC hour by category; written with device_hour, from the same reports.
create table traffic_hour (
  hour timestamptz not null,
  device_id bigint not null constraint traffic_hour_device_fkey references device (id),
  -- Empty: the report named none.
  category text not null,
  bytes numeric(78,0) not null,
  -- When a report last added to it: how late reports are found.
  changed_at timestamptz not null,
  constraint traffic_hour_pkey primary key (hour, device_id, category)
) with (fillfactor = 80);
create index traffic_hour_changed_idx on traffic_hour (changed_at);
create index traffic_report_device_idx on traffic_report (device_id, from_at);
create index traffic_report_refused_at_idx on traffic_report (received_at, device_id) where refusal is not null;

-- Versions of the rules; the text never changes once it was activated.
create table reward_rules (
  version int generated always as identity constraint reward_rules_pkey primary key,
  -- Canonical JSON, as it was hashed.
  body text not null,
  body_hash text not null,
  is_draft boolean not null default true,
  created_by text not null,
  created_at timestamptz not null
);

-- From which hour a version applies, until the next row.
create table reward_activation (
  hour timestamptz constraint reward_activation_pkey primary key,
  version int not null constraint reward_activation_version_fkey references reward_rules (version),
  activated_by text not null,
  activated_at timestamptz not null,
  constraint reward_activation_hour_check check (extract(epoch from hour)::bigint % 3600 = 0)
);

-- How far a person is on the way to count as a referee, and whether something holds that up.
create table reward_user (
  user_id bigint constraint reward_user_pkey primary key,
  -- Settled time online, counted until the highest gate is passed.
  uptime_ms numeric(78,0) not null default 0,
  -- First hour that counts for the referrer at each level; null: not yet.
  counts_from_1 timestamptz,
  counts_from_2 timestamptz,
  counts_from_3 timestamptz,
  -- Why rewards for this referee are held.
  hold_reason text,
  held_at timestamptz,
  released_at timestamptz,
  released_by text
) with (fillfactor = 70);
create index reward_user_held_idx on reward_user (held_at) where hold_reason is not null and released_at is null;

-- One run of settlement: an hour, the corrections found since, or the release of what was held.
create table reward_batch (
  id bigint generated always as identity constraint reward_batch_pkey primary key,
  kind text not null constraint reward_batch_kind_check check (kind in ('hour', 'correction', 'release')),
  -- The hour settled; of corrections and releases the hour in which they were made.
  hour timestamptz not null,
  rule_version int not null,
  state text not null constraint reward_batch_state_check check (state in ('open', 'posting', 'settled')),
  -- What a correction looks for: traffic that changed from then on, before `until`. A release: the referee.
  since timestamptz,
  until timestamptz,
  referee_id bigint,
  -- Makes the salt of every leaf; never leaves the database.
  salt_key bytea not null,
  lines bigint not null default 0,
  -- Lines hashed and posted, once all are.
  posted bigint not null default 0,
  amount numeric(78,0) not null default 0,
  root bytea,
  -- The transfer that carries the root into the sealed ledger.
  root_transfer bigint,
  created_at timestamptz not null,
  settled_at timestamptz,
  constraint reward_batch_settled_check check ((state = 'settled') = (settled_at is not null))
);
-- Two nodes that settle the same hour find the same batch.
create unique index reward_batch_hour_key on reward_batch (hour) where kind = 'hour';
create unique index reward_batch_open_key on reward_batch (kind) where state <> 'settled' and kind = 'correction';

-- What each batch found: a leaf of its tree. Never changed.
create table reward_line (
  batch_id bigint not null,
  leaf bigint not null,
  -- The hour in which it was earned.
  hour timestamptz not null,
  user_id bigint not null,
  -- Null of referral rewards.
  device_id bigint,
  rule_version int not null,
  -- Referral level; 0 otherwise.
  level smallint not null,
  -- Category of the traffic, or name of the campaign.
  part text not null,
  reward_type text not null,
  status text not null constraint reward_line_status_check check (status in ('paid', 'held', 'rejected')),
  node_id text not null,
  -- Of a held referral reward: whose.
  referee_id bigint,
  -- ms online, bytes, minor units of the base, or reports.
  quantity numeric(78,0) not null,
  -- Minor units per hour or GB or report, or millionths of the base.
  rate numeric(78,0) not null,
  -- Of what quantity and rate make, this much was settled by earlier lines.
  settled_before numeric(78,0) not null,
  amount numeric(78,0) not null,
  reason text,
  constraint reward_line_pkey primary key (batch_id, leaf)
);
create index reward_line_user_idx on reward_line (user_id, hour);

-- Roots of the subtrees over 512 leaves.
create table reward_chunk (
  batch_id bigint not null,
  chunk bigint not null,
  root bytea not null,
  constraint reward_chunk_pkey primary key (batch_id, chunk)
);

-- Lines that the ledger refused.
create table reward_refusal (
  batch_id bigint not null,
  leaf bigint not null,
  code text not null,
  constraint reward_refusal_pkey primary key (batch_id, leaf)
);
