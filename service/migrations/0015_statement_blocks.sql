-- Ledger: blocks of a wallet that have a currency, for statements.

-- The last block of a currency before a position, however rare the currency is in the wallet.
create index entry_count_block_currency_idx on entry_count_block (wallet_id, currency_id, block);
