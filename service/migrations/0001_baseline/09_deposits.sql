-- Deposits: transfers from blockchains to users. Networks and tokens are data: the known ones are
-- inserted at the end of this file, and an operator configures and enables them.

-- Public key of an operator's wallet (BIP-32 account key). The service has no private keys.
create table deposit_wallet (
  id int generated always as identity constraint deposit_wallet_pkey primary key,
  -- Networks of one family share addresses: 'evm' for all EVM chains.
  family text not null,
  xpub text not null,
  -- Derivation index of the next address.
  next_index bigint not null default 0,
  created_at timestamptz not null,
  -- Addresses of a retired wallet are still watched, but users get an address of the network's
  -- current wallet. Null: users keep the address that they have.
  retired_at timestamptz,
  constraint deposit_wallet_xpub_key unique (family, xpub)
);

-- A blockchain.
create table network (
  code text not null
    constraint network_pkey primary key
    constraint network_code_check check (code ~ '^[A-Z][A-Z0-9_]{1,31}$'),
  name text not null,
  kind text not null constraint network_kind_check check (kind in ('evm', 'utxo')),
  family text not null,
  -- EVM: expected result of eth_chainId.
  chain_id bigint,
  -- UTXO: human-readable part of bech32 addresses.
  address_prefix text,
  -- Currency of the chain's own coin; null: unknown. A token without a contract must have this
  -- currency, or litecoins could be credited as ETH.
  coin text constraint network_coin_check check (coin ~ '^[A-Z][A-Z0-9]{1,15}$'),
  uri_scheme text not null,
  required_confirmations int not null
    constraint network_confirmations_check check (required_confirmations between 1 and 100000),
  -- Credit nothing above the chain's `finalized` block.
  uses_finalized boolean not null,
  -- Blocks below the cursor that are stored. A deeper reorganisation halts the network.
  reorg_window int not null
    constraint network_window_check check (reorg_window between 1 and 1000000),
  -- Average time between blocks, and interval of polling, in milliseconds.
  block_ms int not null constraint network_block_ms_check check (block_ms between 1 and 86400000),
  poll_ms int not null constraint network_poll_ms_check check (poll_ms between 10 and 3600000),
  -- URL of a transaction, with {tx} for its hash.
  explorer_url text,
  wallet_id int constraint network_wallet_fkey references deposit_wallet (id),
  -- JSON array of RPC URLs, the first is preferred. Encrypted: the URLs contain access keys.
  rpc_urls_sealed text,
  is_enabled boolean not null default false,
  -- First block to read; null: the head at the first poll.
  start_height bigint constraint network_start_height_check check (start_height >= 0),
  constraint network_kind_fields_check check (
    (kind = 'evm') = (chain_id is not null) and (kind = 'utxo') = (address_prefix is not null)),
  constraint network_enabled_check check (
    not is_enabled or (wallet_id is not null and rpc_urls_sealed is not null))
);
create unique index network_chain_id_key on network (chain_id) where chain_id is not null;

-- A currency that is accepted on a network.
create table token (
  id int generated always as identity constraint token_pkey primary key,
  network text not null constraint token_network_fkey references network (code),
  -- currency.code
  currency text not null,
  -- Address in lower case; null: the chain's own coin.
  contract text,
  -- Decimal places of the token on this chain.
  decimals int not null constraint token_decimals_check check (decimals between 0 and 30),
  -- In minor units of the currency.
  min_deposit numeric(78,0) not null
    constraint token_min_deposit_check check (min_deposit >= 0),
  is_enabled boolean not null default true,
  -- Set when the contract reports other decimals than this row: deposits are put on hold.
  distrust_reason_code text,
  distrust_reason_values jsonb,
  constraint token_currency_key unique (network, currency),
  constraint token_contract_key unique nulls not distinct (network, contract)
);

-- State of the watcher of a network. Each transaction that moves the cursor locks the row, which
-- excludes a second watcher.
create table chain_state (
  network text not null
    constraint chain_state_pkey primary key
    constraint chain_state_network_fkey references network (code),
  -- Last block that was read.
  cursor_height bigint,
  cursor_hash text,
  halted_at timestamptz,
  halted_reason_code text,
  halted_reason_values jsonb,
  -- The following columns are for display only.
  head_height bigint,
  finalized_height bigint,
  -- The current problem, if any.
  note_code text,
  note_values jsonb,
  -- State of each RPC endpoint.
  endpoints jsonb not null default '[]',
  -- Last poll, and last one that an endpoint answered.
  checked_at timestamptz,
  answered_at timestamptz,
  constraint chain_state_cursor_check check ((cursor_height is null) = (cursor_hash is null))
);

-- Canonical blocks within the reorganisation window.
create table chain_block (
  network text not null constraint chain_block_network_fkey references network (code),
  height bigint not null,
  hash text not null,
  parent_hash text not null,
  constraint chain_block_pkey primary key (network, height)
);

-- A request to read old blocks again. `next_height` makes it resumable.
create table chain_backfill (
  id bigint generated always as identity constraint chain_backfill_pkey primary key,
  network text not null constraint chain_backfill_network_fkey references network (code),
  from_height bigint not null,
  next_height bigint not null,
  -- Inclusive.
  to_height bigint not null,
  -- Number of deposits found.
  found int not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz,
  constraint chain_backfill_range_check check (
    0 <= from_height and from_height <= next_height and next_height <= to_height + 1)
);
create index chain_backfill_open_idx on chain_backfill (network, id) where finished_at is null;

-- The address of a user in a wallet.
create table deposit_address (
  id bigint generated always as identity constraint deposit_address_pkey primary key,
  user_id bigint not null constraint deposit_address_user_fkey references app_user (id),
  wallet_id int not null constraint deposit_address_wallet_fkey references deposit_wallet (id),
  family text not null,
  derivation_index bigint not null,
  -- For display (with checksum), and in lower case for comparison.
  address text not null,
  address_key text not null,
  created_at timestamptz not null,
  constraint deposit_address_user_key unique (user_id, wallet_id),
  constraint deposit_address_index_key unique (wallet_id, derivation_index),
  constraint deposit_address_key_key unique (family, address_key)
);

-- A transfer on a blockchain to the address of a user.
create table deposit (
  id bigint generated always as identity constraint deposit_pkey primary key,
  network text not null constraint deposit_network_fkey references network (code),
  tx_hash text not null,
  -- EVM: position of the log in its receipt (not in its block), -1 for the chain's own coin.
  -- UTXO: number of the output.
  ordinal int not null,
  user_id bigint not null constraint deposit_user_fkey references app_user (id),
  address_id bigint not null constraint deposit_address_fkey references deposit_address (id),
  -- Null: the contract is not in `token`.
  token_id int constraint deposit_token_fkey references token (id),
  contract text,
  -- currency.code
  currency text not null,
  from_address text,
  -- Amount on the chain, in the token's own units, and their decimal places.
  raw_amount numeric(78,0) not null constraint deposit_raw_amount_check check (raw_amount > 0),
  decimals int not null,
  -- In minor units of the currency. If it had to be rounded down, the deposit is put on hold.
  amount numeric(78,0) not null constraint deposit_amount_check check (amount >= 0),
  block_number bigint not null,
  block_hash text not null,
  -- Copied from the network at detection.
  required_confirmations int not null,
  status text not null constraint deposit_status_check
    check (status in ('confirming', 'credited', 'orphaned', 'reversed', 'below_minimum',
      'unsupported', 'on_hold', 'rejected')),
  reason_code text,
  reason_values jsonb,
  -- An operator's decision; it stays valid after a reorganisation.
  decision text constraint deposit_decision_check check (decision in ('hold', 'release', 'reject')),
  decision_reason_code text,
  decision_reason_values jsonb,
  -- How often it was credited. Part of the posting's key: each credit and reversal happens once.
  epoch int not null default 0,
  detected_at timestamptz not null,
  confirmed_at timestamptz,
  credited_at timestamptz,
  reversed_at timestamptz,
  constraint deposit_event_key unique (network, tx_hash, ordinal),
  constraint deposit_credited_check check (status <> 'credited' or credited_at is not null)
);
-- A user's deposits.
create index deposit_user_idx on deposit (user_id, detected_at desc, id desc);
create index deposit_user_currency_idx on deposit (user_id, currency, detected_at desc, id desc);
-- The watcher: deposits to confirm, and those of a reorganised block.
create index deposit_confirming_idx on deposit (network, block_number)
  where status = 'confirming';
create index deposit_block_idx on deposit (network, block_number);
create index deposit_address_idx on deposit (address_id);
-- The operator's list, one index for each filter.
create index deposit_detected_idx on deposit (detected_at desc, id desc);
create index deposit_currency_idx on deposit (currency, detected_at desc, id desc);
create index deposit_network_idx on deposit (network, detected_at desc, id desc);
create index deposit_status_detected_idx on deposit (status, detected_at desc, id desc);
create index deposit_status_idx on deposit (status, id desc);

-- Confirmations are depths that are final in practice: two epochs on Ethereum, the usual values of
-- exchanges elsewhere.
insert into network (
  code, name, kind, family, chain_id, address_prefix, coin, uri_scheme,
  required_confirmations, uses_finalized, reorg_window, block_ms, poll_ms, explorer_url
) values
  ('ETHEREUM', 'Ethereum', 'evm', 'evm', 1, null, 'ETH', 'ethereum',
    65, true, 512, 12000, 3000, 'https://etherscan.io/tx/{tx}'),
  ('POLYGON', 'Polygon', 'evm', 'evm', 137, null, 'POL', 'ethereum',
    200, true, 1024, 2100, 2000, 'https://polygonscan.com/tx/{tx}'),
  ('ARBITRUM', 'Arbitrum One', 'evm', 'evm', 42161, null, 'ETH', 'ethereum',
    240, true, 4096, 250, 1000, 'https://arbiscan.io/tx/{tx}'),
  ('OPTIMISM', 'OP Mainnet', 'evm', 'evm', 10, null, 'ETH', 'ethereum',
    30, true, 2048, 2000, 2000, 'https://optimistic.etherscan.io/tx/{tx}'),
  ('BASE', 'Base', 'evm', 'evm', 8453, null, 'ETH', 'ethereum',
    30, true, 2048, 2000, 2000, 'https://basescan.org/tx/{tx}'),
  ('BSC', 'BNB Smart Chain', 'evm', 'evm', 56, null, 'BNB', 'ethereum',
    30, true, 1024, 750, 1000, 'https://bscscan.com/tx/{tx}'),
  ('BITCOIN', 'Bitcoin', 'utxo', 'bitcoin', null, 'bc', 'BTC', 'bitcoin',
    6, false, 144, 600000, 15000, 'https://mempool.space/tx/{tx}'),
  ('LITECOIN', 'Litecoin', 'utxo', 'litecoin', null, 'ltc', 'LTC', 'litecoin',
    12, false, 576, 150000, 10000, 'https://litecoinspace.org/tx/{tx}');
insert into chain_state (network) select code from network;

insert into token (network, currency, contract, decimals, min_deposit) values
  ('ETHEREUM', 'ETH', null, 18, 500000000000000),
  ('ARBITRUM', 'ETH', null, 18, 500000000000000),
  ('OPTIMISM', 'ETH', null, 18, 500000000000000),
  ('BASE', 'ETH', null, 18, 500000000000000),
  ('ETHEREUM', 'USDT', '0xdac17f958d2ee523a2206206994597c13d831ec7', 6, 1000000),
  ('POLYGON', 'USDT', '0xc2132d05d31c914a87c6611c10748aeb04b58e8f', 6, 1000000),
  ('ARBITRUM', 'USDT', '0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9', 6, 1000000),
  ('OPTIMISM', 'USDT', '0x94b008aa00579c1307b0ef2c499ad98a8ce58e58', 6, 1000000),
  ('BSC', 'USDT', '0x55d398326f99059ff775485246999027b3197955', 18, 1000000);
