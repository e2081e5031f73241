-- The ledger: currencies, kinds of wallets and of business, accounts, transfers, entries, holds, seals, roll-ups.

create table currency (
  id smallint generated always as identity constraint currency_pkey primary key,
  code text not null constraint currency_code_key unique constraint currency_code_check check (code ~ '^[A-Z][A-Z0-9]{1,15}$'),
  -- Decimals of one unit; frozen: every stored amount counts in it.
  scale smallint not null constraint currency_scale_check check (scale >= 0 and scale <= 30),
  created_at timestamptz not null default now()
);
insert into currency (code, scale) values ('EDGE', 18), ('USDT', 6), ('ETH', 18);

create function refuse_currency_change() returns trigger language plpgsql as $$
begin
  raise exception 'the code and scale of a currency never change';
end $$;
create trigger currency_is_frozen before update of id, code, scale on currency for each row
  when (old.scale <> new.scale or old.code <> new.code or old.id <> new.id) execute function refuse_currency_change();

-- People have `asset` and `bonus`; the rest are the house's. A wallet's id packs its owner and kind:
--   a person's: user_id * 32 + kind; the house's: -(kind * 16 + shard + 1), one per shard of posting.
create table wallet_kind (
  id smallint constraint wallet_kind_pkey primary key,
  code text not null constraint wallet_kind_code_key unique,
  is_house boolean not null,
  constraint wallet_kind_id_check check (id >= 1 and (is_house or id < 32))
);
insert into wallet_kind (id, code, is_house) values
  (1, 'asset', false), (2, 'bonus', false),
  (32, 'reward_pool', true), (33, 'deposit_clearing', true), (34, 'withdrawal_clearing', true), (35, 'package_sales', true),
  (36, 'conversion', true), (37, 'adjustment', true), (38, 'external_sales', true), (39, 'fees', true), (40, 'treasury', true);

create table transaction_type (
  id smallint generated always as identity constraint transaction_type_pkey primary key,
  code text not null constraint transaction_type_code_key unique,
  -- Its bills are earnings: they enter `earning_day`.
  is_earning boolean not null default false,
  -- The account's counter that its bills move, and which way a credit moves it.
  counter text constraint business_counter_check check (counter in ('deposited', 'withdrawn')),
  credit_sign smallint not null default 1 constraint business_credit_sign_check check (credit_sign in (-1, 1)),
  -- What its reversal is called; null: the same.
  reversed_as text
);
insert into transaction_type (code, is_earning, counter, credit_sign, reversed_as) values
  ('deposit', false, 'deposited', 1, 'deposit_reversal'),
  ('deposit_reversal', false, 'deposited', 1, 'deposit'),
  ('withdrawal', false, 'withdrawn', -1, 'withdrawal_refund'),
  ('withdrawal_refund', false, 'withdrawn', -1, 'withdrawal'),
  ('withdrawal_fee', false, null, 1, null),
  ('package_purchase', false, null, 1, 'package_refund'),
  ('package_refund', false, null, 1, 'package_purchase'),
  ('reward', true, null, 1, null),
  ('referral_reward', true, null, 1, null),
  ('conversion_in', false, null, 1, null),
  ('conversion_out', false, null, 1, null),
  ('adjustment', false, null, 1, null);

-- The balance of a wallet in a currency. Available = credits - debits - held.
create table account (
  wallet_id bigint not null,
  -- Null: the house's.
  user_id bigint constraint account_user_fkey references app_user (id),
  -- Number of its entries; the next one is seq + 1.
  seq bigint not null default 0,
  posted_at timestamptz not null default 'epoch',
  currency_id smallint not null constraint account_currency_fkey references currency (id),
  kind_id smallint not null constraint account_kind_fkey references wallet_kind (id),
  -- House accounts may be negative: they mirror what people hold.
  guarded boolean not null,
  -- A posting that may overdraw made it negative; conversion and withdrawal are frozen until it is paid back.
  overdrawn boolean not null default false,
  debits numeric(78,0) not null default 0,
  credits numeric(78,0) not null default 0,
  held numeric(78,0) not null default 0,
  deposited numeric(78,0) not null default 0,
  withdrawn numeric(78,0) not null default 0,
  constraint account_pkey primary key (wallet_id, currency_id),
  constraint account_owner_check check ((user_id is null) = (wallet_id < 0) and (user_id is null or wallet_id = user_id * 32 + kind_id)),
  constraint account_counters_check check (debits >= 0 and credits >= 0 and held >= 0 and deposited >= 0 and withdrawn >= 0),
  constraint account_available_check check (not guarded or overdrawn or credits - debits - held >= 0)
) with (fillfactor = 50);

-- What happened; never updated, never deleted. No foreign keys on the hot path: `edge-account verify` checks them all.
create table transfer (
  -- n * 16 + shard + 1, n dense in each shard: a missing one is noticed.
  id bigint not null constraint transfer_pkey primary key,
  -- Where its two entries stand.
  debit_wallet bigint not null,
  debit_position bigint not null,
  credit_wallet bigint not null,
  credit_position bigint not null,
  event_at timestamptz not null,
  created_at timestamptz not null,
  -- The transfer that this one undoes, and the hold that it settles.
  reverses bigint,
  hold_id bigint,
  currency_id smallint not null,
  business_id smallint not null,
  may_overdraw boolean not null,
  amount numeric(78,0) not null constraint transfer_amount_check check (amount > 0),
  request_hash bytea not null,
  idempotency_key text collate "C" not null constraint transfer_idempotency_key unique,
  reward_type text,
  node_id text,
  reference text,
  remark text
);
create unique index transfer_reverses_key on transfer (reverses) where reverses is not null;

-- The two legs of each transfer. `position` is dense in the wallet, `seq` in the account; both are in order of created_at.
create table entry (
  wallet_id bigint not null,
  position bigint not null,
  seq bigint not null,
  transfer_id bigint not null,
  created_at timestamptz not null,
  currency_id smallint not null,
  business_id smallint not null,
  -- 1 credit, 2 debit
  direction smallint not null,
  amount numeric(78,0) not null,
  balance_after numeric(78,0) not null,
  constraint entry_pkey primary key (wallet_id, position)
);

-- Counts of each full run of 256 positions, so that filtered totals and deep pages never count entries one by one.
create table entry_count_block (
  wallet_id bigint not null,
  block bigint not null,
  currency_id smallint not null,
  business_id smallint not null,
  direction smallint not null,
  entries int not null,
  constraint entry_count_block_pkey primary key (wallet_id, block, currency_id, business_id, direction)
);

-- Postings that were refused: the key stays refused.
create table refused_posting (
  idempotency_key text collate "C" not null constraint refused_posting_pkey primary key,
  request_hash bytea not null,
  code text not null,
  created_at timestamptz not null
);

-- Money set aside. Its history is hold_step; this row is where it stands.
create table hold (
  id bigint not null constraint hold_pkey primary key,
  wallet_id bigint not null,
  currency_id smallint not null,
  business_id smallint not null,
  amount numeric(78,0) not null constraint hold_amount_check check (amount > 0),
  remaining numeric(78,0) not null constraint hold_remaining_check check (remaining >= 0 and remaining <= amount),
  state text not null constraint hold_state_check check (state in ('open', 'settled', 'cancelled', 'expired')),
  expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  reference text,
  remark text,
  constraint hold_open_check check ((state = 'open') = (remaining > 0))
);
create index hold_wallet_idx on hold (wallet_id, id desc);
create index hold_expiring_idx on hold (expires_at) where state = 'open' and expires_at is not null;

create table hold_step (
  -- n * 16 + shard + 1, n dense in each shard; the id of a hold is the id of its first step.
  id bigint not null constraint hold_step_pkey primary key,
  hold_id bigint not null,
  kind text not null constraint hold_step_kind_check check (kind in ('place', 'settle', 'cancel', 'expire')),
  amount numeric(78,0) not null constraint hold_step_amount_check check (amount > 0),
  -- Where a settled part went.
  transfer_id bigint,
  created_at timestamptz not null,
  request_hash bytea not null,
  idempotency_key text collate "C" not null constraint hold_step_idempotency_key unique
);
create index hold_step_hold_idx on hold_step (hold_id);

-- A shard is one chain of seals; posters that work at once take different shards and never wait for each other.
create table ledger_shard (
  shard smallint constraint ledger_shard_pkey primary key constraint ledger_shard_check check (shard >= 0 and shard < 16),
  seals bigint not null default 0,
  transfers bigint not null default 0,
  steps bigint not null default 0,
  mac bytea not null default '\x'
) with (fillfactor = 10);
insert into ledger_shard (shard) select generate_series(0, 15);

-- One per batch. `leaves` holds the hash (16 bytes) of every transfer with its two entries, then of every hold step, all
-- fields included; `mac` is a keyed hash over the leaves and the seal before it, so a changed row is known by its leaf.
create table batch_seal (
  shard smallint not null,
  position bigint not null,
  first_transfer bigint not null,
  transfers int not null,
  first_step bigint not null,
  steps int not null,
  created_at timestamptz not null,
  mac bytea not null,
  leaves bytea not null,
  constraint batch_seal_pkey primary key (shard, position)
);

-- Earnings by the day they were earned, written by the posting itself. Empty text: none.
create table earning_day (
  user_id bigint not null,
  day date not null,
  currency_id smallint not null,
  reward_type text not null,
  node_id text not null,
  amount numeric(78,0) not null,
  constraint earning_day_pkey primary key (user_id, day, currency_id, reward_type, node_id)
) with (fillfactor = 80);
