-- Ledger: accounts, transfers with their two entries, holds, earnings, seals and signed heads.
--
-- Rows of transfer, entry, hold_step and batch_seal are never updated or deleted. The tables that
-- each posting writes have no foreign keys, for speed: `edge-account verify` checks the references.
-- Columns of wide tables are ordered by alignment (8 bytes, 2 bytes, variable length), which makes
-- rows smaller.

-- The balance of a wallet in one currency. Available amount: credits - debits - held.
create table account (
  wallet_id bigint not null,
  -- Null: a house wallet.
  user_id bigint constraint account_user_fkey references app_user (id),
  -- Number of entries of the account.
  seq bigint not null default 0,
  -- created_at of the last entry.
  posted_at timestamptz not null default 'epoch',
  currency_id smallint not null constraint account_currency_fkey references currency (id),
  kind_id smallint not null constraint account_kind_fkey references wallet_kind (id),
  -- True: the available amount may not become negative. House accounts are not guarded.
  guarded boolean not null,
  -- A posting with may_overdraw made the account negative. Conversions and withdrawals are blocked
  -- until the amount is paid back.
  overdrawn boolean not null default false,
  -- The user has closed the account.
  closed boolean not null default false,
  debits numeric(78,0) not null default 0,
  credits numeric(78,0) not null default 0,
  -- Sum of the open holds.
  held numeric(78,0) not null default 0,
  -- Net sums of deposits and withdrawals (transaction_type.counter).
  deposited numeric(78,0) not null default 0,
  withdrawn numeric(78,0) not null default 0,
  constraint account_pkey primary key (wallet_id, currency_id),
  constraint account_owner_check check (
    (user_id is null) = (wallet_id < 0)
    and (user_id is null or wallet_id = user_id * 32 + kind_id)),
  constraint account_counters_check check (
    debits >= 0 and credits >= 0 and held >= 0 and deposited >= 0 and withdrawn >= 0),
  constraint account_available_check check (
    not guarded or overdrawn or credits - debits - held >= 0)
) with (fillfactor = 50); -- Updated by each posting, in free space of the same page.

-- A transfer moves an amount from one wallet (debit) to another (credit).
create table transfer (
  -- n * 16 + shard + 1. n counts from 0 without gaps in each shard, so a missing row is detected.
  id bigint not null constraint transfer_pkey primary key,
  -- The two entries: wallet and position.
  debit_wallet bigint not null,
  debit_position bigint not null,
  credit_wallet bigint not null,
  credit_position bigint not null,
  -- When it happened, as stated by the caller; and when it was posted.
  event_at timestamptz not null,
  created_at timestamptz not null,
  -- The transfer that this one reverses, and the hold that it settles.
  reverses bigint,
  hold_id bigint,
  currency_id smallint not null,
  -- transaction_type.id
  business_id smallint not null,
  may_overdraw boolean not null,
  amount numeric(78,0) not null constraint transfer_amount_check check (amount > 0),
  -- Hash of the request, to detect a key that is used again for something else.
  request_hash bytea not null,
  idempotency_key text collate "C" not null constraint transfer_idempotency_key unique,
  -- Set for rewards: type, and the device that earned it.
  reward_type text,
  node_id text,
  reference text,
  remark text
);
-- A transfer is reversed at most once.
create unique index transfer_reverses_key on transfer (reverses) where reverses is not null;

-- The two sides of each transfer. `position` counts the entries of the wallet and `seq` those of
-- the account, both without gaps and in the order of created_at.
create table entry (
  wallet_id bigint not null,
  position bigint not null,
  seq bigint not null,
  transfer_id bigint not null,
  created_at timestamptz not null,
  currency_id smallint not null,
  -- transaction_type.id
  business_id smallint not null,
  -- 1: credit, 2: debit
  direction smallint not null,
  amount numeric(78,0) not null,
  -- Balance of the account (credits - debits) after this entry.
  balance_after numeric(78,0) not null,
  constraint entry_pkey primary key (wallet_id, position)
);

-- Number of entries in each full block of 256 positions of a wallet, by the filters of statements:
-- totals and deep pages are computed without reading the entries.
create table entry_count_block (
  wallet_id bigint not null,
  -- position / 256
  block bigint not null,
  currency_id smallint not null,
  -- transaction_type.id
  business_id smallint not null,
  direction smallint not null,
  entries int not null,
  constraint entry_count_block_pkey
    primary key (wallet_id, block, currency_id, business_id, direction)
);

-- Refused postings: a repeated key is refused again.
create table refused_posting (
  -- n * 16 + shard + 1. n counts from 0 without gaps in each shard, so a missing row is detected.
  id bigint not null constraint refused_posting_id_key unique,
  idempotency_key text collate "C" not null constraint refused_posting_pkey primary key,
  request_hash bytea not null,
  -- Failure code of the response, and the rest of it: {"detail": ..., "fields": [...]}.
  code text not null,
  details json,
  created_at timestamptz not null
);

-- Whether one of the keys was refused. Volatile: it sees rows that were committed after the calling
-- statement began, while that statement waited for a lock.
create function has_refused_key(names text[]) returns boolean language plpgsql volatile as $$
begin
  return exists (
    select from unnest(names) as n (idempotency_key)
    cross join lateral (
      select from refused_posting where idempotency_key = n.idempotency_key limit 1) r);
end $$;

-- Called by a posting that lost a race against a concurrent one: the transaction is retried.
create function raise_serialization_failure() returns boolean language plpgsql as $$
begin
  raise exception 'another posting came first' using errcode = 'serialization_failure';
end $$;

-- An amount of an account that is reserved. This row is the current state, hold_step the history.
create table hold (
  -- The id of its first step.
  id bigint not null constraint hold_pkey primary key,
  wallet_id bigint not null,
  currency_id smallint not null,
  -- transaction_type.id of the transfers that settle it
  business_id smallint not null,
  amount numeric(78,0) not null constraint hold_amount_check check (amount > 0),
  -- Part of the amount that is still reserved.
  remaining numeric(78,0) not null
    constraint hold_remaining_check check (remaining >= 0 and remaining <= amount),
  state text not null
    constraint hold_state_check check (state in ('open', 'settled', 'cancelled', 'expired')),
  -- Null: never.
  expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  reference text,
  remark text,
  constraint hold_open_check check ((state = 'open') = (remaining > 0))
);
create index hold_wallet_idx on hold (wallet_id, id desc);
create index hold_expiring_idx on hold (expires_at)
  where state = 'open' and expires_at is not null;

-- The history of holds.
create table hold_step (
  -- n * 16 + shard + 1. n counts from 0 without gaps in each shard.
  id bigint not null constraint hold_step_pkey primary key,
  hold_id bigint not null,
  kind text not null
    constraint hold_step_kind_check check (kind in ('place', 'settle', 'cancel', 'expire')),
  amount numeric(78,0) not null constraint hold_step_amount_check check (amount > 0),
  -- Part of the hold that is still reserved after the step.
  remaining numeric(78,0) not null
    constraint hold_step_remaining_check check (remaining >= 0),
  -- Kind settle: the transfer of the settled part.
  transfer_id bigint,
  created_at timestamptz not null,
  request_hash bytea not null,
  idempotency_key text collate "C" not null constraint hold_step_idempotency_key unique
);
create index hold_step_hold_idx on hold_step (hold_id);

-- Earnings of a user by the UTC day in which they were earned, over all wallets. Written by the
-- posting. The amounts of this table and the next have two digits more than an account, for the
-- sum over the wallets of a user (fewer than a hundred kinds).
create table earning_day (
  user_id bigint not null,
  day date not null,
  currency_id smallint not null,
  -- Empty: none.
  reward_type text not null,
  node_id text not null,
  amount numeric(80,0) not null,
  constraint earning_day_pkey primary key (user_id, day, currency_id, reward_type, node_id)
) with (fillfactor = 80);

-- Earnings of a user since the beginning, by wallet kind. Written by the posting.
create table earning_total (
  user_id bigint not null,
  kind_id smallint not null,
  currency_id smallint not null,
  -- Empty: none.
  reward_type text not null,
  amount numeric(80,0) not null,
  constraint earning_total_pkey primary key (user_id, kind_id, currency_id, reward_type)
) with (fillfactor = 70);

-- The last state of each shard. A shard is a chain of seals; concurrent batches of postings use
-- different shards and do not wait for each other.
create table ledger_shard (
  shard smallint
    constraint ledger_shard_pkey primary key
    constraint ledger_shard_check check (shard >= 0 and shard < 16),
  -- Number of seals, transfers, hold steps and refused postings so far.
  seals bigint not null default 0,
  transfers bigint not null default 0,
  steps bigint not null default 0,
  refusals bigint not null default 0,
  -- MAC of the last seal; empty before the first.
  mac bytea not null default '\x'
) with (fillfactor = 10); -- One row per page and space for its versions: shards share no page.
insert into ledger_shard (shard) select generate_series(0, 15);

-- The seal of one batch of postings. `leaves` has a hash of 16 bytes for each transfer with its two
-- entries, then for each hold step, then for each refused posting, over all their columns. `mac` is
-- a keyed hash of the leaves and the previous seal. A changed row is found by its leaf.
create table batch_seal (
  shard smallint not null,
  -- Number of the seal in the shard.
  position bigint not null,
  -- The transfers and hold steps of the batch: first n and count.
  first_transfer bigint not null,
  transfers int not null,
  first_step bigint not null,
  steps int not null,
  created_at timestamptz not null,
  mac bytea not null,
  leaves bytea not null,
  constraint batch_seal_pkey primary key (shard, position)
);

-- Keys that sign the daily heads (Ed25519).
create table ledger_key (
  kid text constraint ledger_key_pkey primary key,
  public_jwk jsonb not null,
  sealed_private_key text not null,
  created_at timestamptz not null
);

-- Signed state of all shards at the end of each UTC day. A copy kept elsewhere proves later that
-- the end of a chain was not removed.
create table ledger_head (
  day date constraint ledger_head_pkey primary key,
  -- Exactly the bytes that were signed.
  body text not null,
  signature text not null,
  kid text not null constraint ledger_head_key_fkey references ledger_key (kid),
  created_at timestamptz not null
);
