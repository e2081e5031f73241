-- Payouts: a failure is refunded once it is final, and watched after that.

alter table payout
  -- Of an EVM network: the hot wallet and the nonce of all its transactions.
  add column sender text,
  add column nonce bigint,
  -- How often the money was given back after the signer had taken the payout.
  add column refunds int not null default 0,
  -- Of a failed payout: until then its transactions are looked for, as none may pay it.
  add column watched_until timestamptz;
create index payout_watched_idx on payout (network, followed_at) where watched_until is not null;

-- Failures from before this column.
update payout set refunds = 1, watched_until = updated_at + interval '30 days'
  where status = 'failed';
