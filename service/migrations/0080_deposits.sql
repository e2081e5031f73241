-- Deposits from chains. Networks and tokens are data: the rows below are known by name, an operator configures them.

-- The public half of an operator's wallet (BIP-32 account key); private keys never come near the service.
create table deposit_wallet (
  id int generated always as identity constraint deposit_wallet_pkey primary key,
  -- Networks of one family share addresses: every EVM chain is `evm`.
  family text not null,
  xpub text not null,
  next_index bigint not null default 0,
  created_at timestamptz not null,
  constraint deposit_wallet_xpub_key unique (family, xpub)
);

create table network (
  code text not null constraint network_pkey primary key constraint network_code_check check (code ~ '^[A-Z][A-Z0-9_]{1,31}$'),
  name text not null,
  kind text not null constraint network_kind_check check (kind in ('evm', 'utxo')),
  family text not null,
  -- EVM only: the node must answer this to eth_chainId.
  chain_id bigint,
  -- UTXO only: human-readable part of its bech32 addresses.
  address_prefix text,
  uri_scheme text not null,
  required_confirmations int not null constraint network_confirmations_check check (required_confirmations between 1 and 100000),
  -- Credit nothing above the chain's own `finalized` block.
  uses_finalized boolean not null,
  -- How many blocks below the cursor are remembered; a reorganisation that is deeper halts the network.
  reorg_window int not null constraint network_window_check check (reorg_window between 1 and 1000000),
  block_ms int not null constraint network_block_ms_check check (block_ms between 1 and 86400000),
  poll_ms int not null constraint network_poll_ms_check check (poll_ms between 10 and 3600000),
  explorer_url text,
  wallet_id int constraint network_wallet_fkey references deposit_wallet (id),
  -- Encrypted under the master key: provider URLs carry access keys. JSON array, first is preferred.
  rpc_urls_sealed text,
  is_enabled boolean not null default false,
  -- First block to read; null: the head when the watcher first sees the chain.
  start_height bigint constraint network_start_height_check check (start_height >= 0),
  constraint network_kind_fields_check check ((kind = 'evm') = (chain_id is not null) and (kind = 'utxo') = (address_prefix is not null)),
  constraint network_enabled_check check (not is_enabled or (wallet_id is not null and rpc_urls_sealed is not null))
);
create unique index network_chain_id_key on network (chain_id) where chain_id is not null;

create table token (
  id int generated always as identity constraint token_pkey primary key,
  network text not null constraint token_network_fkey references network (code),
  currency text not null,
  -- Lower case; null: the chain's own coin.
  contract text,
  decimals int not null constraint token_decimals_check check (decimals between 0 and 30),
  -- Minor units of the currency.
  min_deposit numeric(78,0) not null constraint token_min_deposit_check check (min_deposit >= 0),
  is_enabled boolean not null default true,
  -- Set by the watcher when the contract answers other decimals than ours: its deposits are held.
  distrust_reason text,
  constraint token_currency_key unique (network, currency),
  constraint token_contract_key unique nulls not distinct (network, contract)
);

-- Where the watcher stands. Its row is locked by each transaction that moves it, which fences a second watcher.
create table chain_state (
  network text not null constraint chain_state_pkey primary key constraint chain_state_network_fkey references network (code),
  cursor_height bigint,
  cursor_hash text,
  halted_at timestamptz,
  halted_reason text,
  -- What was last seen, for people: never decides anything.
  head_height bigint,
  finalized_height bigint,
  note text,
  endpoints jsonb not null default '[]',
  checked_at timestamptz,
  constraint chain_state_cursor_check check ((cursor_height is null) = (cursor_hash is null))
);

-- Canonical blocks within the window.
create table chain_block (
  network text not null constraint chain_block_network_fkey references network (code),
  height bigint not null,
  hash text not null,
  parent_hash text not null,
  constraint chain_block_pkey primary key (network, height)
);

-- One row per asked-for reading of old blocks; `next_height` makes it resumable.
create table chain_backfill (
  id bigint generated always as identity constraint chain_backfill_pkey primary key,
  network text not null constraint chain_backfill_network_fkey references network (code),
  from_height bigint not null,
  next_height bigint not null,
  to_height bigint not null,
  found int not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz,
  constraint chain_backfill_range_check check (0 <= from_height and from_height <= next_height and next_height <= to_height + 1)
);
create index chain_backfill_open_idx on chain_backfill (network, id) where finished_at is null;

create table deposit_address (
  id bigint generated always as identity constraint deposit_address_pkey primary key,
  user_id bigint not null constraint deposit_address_user_fkey references app_user (id),
  wallet_id int not null constraint deposit_address_wallet_fkey references deposit_wallet (id),
  family text not null,
  derivation_index bigint not null,
  -- As people see it (checksummed), and as it is compared (lower case).
  address text not null,
  address_key text not null,
  created_at timestamptz not null,
  constraint deposit_address_user_key unique (user_id, wallet_id),
  constraint deposit_address_index_key unique (wallet_id, derivation_index),
  constraint deposit_address_key_key unique (family, address_key)
);

create table deposit (
  id bigint generated always as identity constraint deposit_pkey primary key,
  network text not null constraint deposit_network_fkey references network (code),
  tx_hash text not null,
  -- EVM: position of the log in its own receipt, -1 for the coin itself; UTXO: the output. Never the block-wide log index.
  ordinal int not null,
  user_id bigint not null constraint deposit_user_fkey references app_user (id),
  address_id bigint not null constraint deposit_address_fkey references deposit_address (id),
  -- Null when the contract is not on the list.
  token_id int constraint deposit_token_fkey references token (id),
  contract text,
  currency text not null,
  from_address text,
  -- What the chain says, in the token's own units.
  raw_amount numeric(78,0) not null constraint deposit_raw_amount_check check (raw_amount > 0),
  decimals int not null,
  -- Minor units of the currency; what cannot be expressed is cut off and the deposit held.
  amount numeric(78,0) not null constraint deposit_amount_check check (amount >= 0),
  block_number bigint not null,
  block_hash text not null,
  required_confirmations int not null,
  status text not null constraint deposit_status_check
    check (status in ('confirming', 'credited', 'orphaned', 'reversed', 'below_minimum', 'unsupported', 'on_hold', 'rejected')),
  reason text,
  -- An operator's word outlives reorganisations.
  decision text constraint deposit_decision_check check (decision in ('hold', 'release', 'reject')),
  decision_reason text,
  -- How often it was credited: part of the posting's key, so that each credit and each reversal happens once.
  epoch int not null default 0,
  detected_at timestamptz not null,
  confirmed_at timestamptz,
  credited_at timestamptz,
  reversed_at timestamptz,
  constraint deposit_event_key unique (network, tx_hash, ordinal),
  constraint deposit_credited_check check (status <> 'credited' or credited_at is not null)
);
create index deposit_user_idx on deposit (user_id, detected_at desc, id desc);
create index deposit_user_currency_idx on deposit (user_id, currency, detected_at desc, id desc);
create index deposit_confirming_idx on deposit (network, block_number) where status = 'confirming';
create index deposit_block_idx on deposit (network, block_number);
create index deposit_status_idx on deposit (status, id desc);
create index deposit_address_idx on deposit (address_id);

-- Confirmations are depths that have stood for finality: Ethereum two epochs, others as their exchanges ask.
insert into network (code, name, kind, family, chain_id, address_prefix, uri_scheme, required_confirmations, uses_finalized, reorg_window, block_ms, poll_ms, explorer_url) values
  ('ETHEREUM', 'Ethereum', 'evm', 'evm', 1, null, 'ethereum', 65, true, 512, 12000, 3000, 'https://etherscan.io/tx/{tx}'),
  ('POLYGON', 'Polygon', 'evm', 'evm', 137, null, 'ethereum', 200, true, 1024, 2100, 2000, 'https://polygonscan.com/tx/{tx}'),
  ('ARBITRUM', 'Arbitrum One', 'evm', 'evm', 42161, null, 'ethereum', 240, true, 4096, 250, 1000, 'https://arbiscan.io/tx/{tx}'),
  ('OPTIMISM', 'OP Mainnet', 'evm', 'evm', 10, null, 'ethereum', 30, true, 2048, 2000, 2000, 'https://optimistic.etherscan.io/tx/{tx}'),
  ('BASE', 'Base', 'evm', 'evm', 8453, null, 'ethereum', 30, true, 2048, 2000, 2000, 'https://basescan.org/tx/{tx}'),
  ('BSC', 'BNB Smart Chain', 'evm', 'evm', 56, null, 'ethereum', 30, true, 1024, 750, 1000, 'https://bscscan.com/tx/{tx}'),
  ('BITCOIN', 'Bitcoin', 'utxo', 'bitcoin', null, 'bc', 'bitcoin', 6, false, 144, 600000, 15000, 'https://mempool.space/tx/{tx}'),
  ('LITECOIN', 'Litecoin', 'utxo', 'litecoin', null, 'ltc', 'litecoin', 12, false, 576, 150000, 10000, 'https://litecoinspace.org/tx/{tx}');
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
