-- Payouts: the output that all transactions of a payout spend, on a UTXO chain.

alter table payout
  -- Hash of the transaction, a colon, number of the output.
  add column coin text;
