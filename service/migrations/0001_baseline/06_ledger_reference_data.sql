-- Ledger reference data: currencies, wallet kinds and transaction types. Their ids are stored in
-- every posting, so processes keep them in memory and check that they are unchanged (last table).

-- Currencies that accounts may have.
create table currency (
  id smallint generated always as identity constraint currency_pkey primary key,
  code text not null
    constraint currency_code_key unique
    constraint currency_code_check check (code ~ '^[A-Z][A-Z0-9]{1,15}$'),
  -- Decimal places of the minor unit. Never changes: stored amounts depend on it.
  scale smallint not null constraint currency_scale_check check (scale >= 0 and scale <= 30),
  created_at timestamptz not null default now()
);
insert into currency (code, scale) values ('EDGE', 18), ('USDT', 6), ('ETH', 18);

create function refuse_currency_change() returns trigger language plpgsql as $$
begin
  raise exception 'the code and scale of a currency never change';
end $$;
create trigger currency_is_frozen before update of id, code, scale on currency for each row
  when (old.scale <> new.scale or old.code <> new.code or old.id <> new.id)
  execute function refuse_currency_change();

-- Kinds of wallets. A user has one wallet of each user kind; house wallets belong to the service.
--
-- A wallet id contains owner and kind:
--   user wallet:  user_id * 32 + kind
--   house wallet: -(kind * 16 + shard + 1), one for each ledger shard
create table wallet_kind (
  id smallint constraint wallet_kind_pkey primary key,
  code text not null
    constraint wallet_kind_code_key unique
    constraint wallet_kind_code_check check (code ~ '^[a-z][a-z0-9_]{1,31}$' and code <> 'users'),
  is_house boolean not null,
  constraint wallet_kind_id_check check (id >= 1 and is_house = (id >= 32))
);
insert into wallet_kind (id, code, is_house) values
  (1, 'asset', false),
  (2, 'bonus', false),
  (32, 'reward_pool', true),
  (33, 'deposit_clearing', true),
  (34, 'withdrawal_clearing', true),
  (35, 'package_sales', true),
  (36, 'conversion', true),
  (37, 'adjustment', true),
  (38, 'external_sales', true),
  (39, 'fees', true),
  (40, 'treasury', true);

create function refuse_wallet_kind_change() returns trigger language plpgsql as $$
begin
  raise exception 'a kind of wallet never changes';
end $$;
create trigger wallet_kind_is_frozen before update or delete on wallet_kind for each row
  execute function refuse_wallet_kind_change();

-- Types of transactions. A bill is a user's side of a transfer.
create table transaction_type (
  id smallint generated always as identity constraint transaction_type_pkey primary key,
  code text not null constraint transaction_type_code_key unique,
  -- Its bills are earnings and are added to earning_day and earning_total.
  is_earning boolean not null default false,
  -- The counter of the account that its bills change, and the sign of a credit in it.
  counter text
    constraint transaction_type_counter_check check (counter in ('deposited', 'withdrawn')),
  credit_sign smallint not null default 1
    constraint transaction_type_credit_sign_check check (credit_sign in (-1, 1)),
  -- Code of the type of its reversals; null: the same type.
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

-- One row: the version of the three tables above. A posting is written only if its process knows
-- the current version. After a failover that lost a row, the same id may mean something else.
create table reference_data_version (
  is_only boolean not null default true
    constraint reference_data_version_pkey primary key
    constraint reference_data_version_is_only_check check (is_only),
  mark uuid not null default gen_random_uuid()
);
insert into reference_data_version default values;

create function change_reference_mark() returns trigger language plpgsql as $$
begin
  update reference_data_version set mark = gen_random_uuid();
  return null;
end $$;
-- Not after an update of currency: its codes and scales cannot change.
create trigger currency_marked after insert or delete or truncate on currency
  for each statement execute function change_reference_mark();
create trigger transaction_type_marked
  after insert or update or delete or truncate on transaction_type
  for each statement execute function change_reference_mark();
create trigger wallet_kind_marked after insert or update or delete or truncate on wallet_kind
  for each statement execute function change_reference_mark();

-- Called by a posting whose version is not the current one: the transaction is retried after the
-- reference data is read again.
create function raise_reference_data_changed() returns boolean language plpgsql as $$
begin
  raise exception 'what the names of the ledger stand for has changed'
    using errcode = 'serialization_failure', constraint = 'reference_data_version';
end $$;
