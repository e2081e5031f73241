-- Payouts: a transaction pays one payout.

create index payout_transaction_hash_idx on payout_transaction (tx_hash);
