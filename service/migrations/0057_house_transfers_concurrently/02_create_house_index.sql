-- Ledger: transfers between accounts of the house, which are left out of the figures of days.
create index concurrently transfer_house_idx on transfer (created_at)
  where debit_wallet < 0 and credit_wallet < 0;
