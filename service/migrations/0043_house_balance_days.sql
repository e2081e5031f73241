-- Ledger: what accounts of the house had at the end of a day, for figures of days. Entries tell it,
-- too, by a search in each shard.

-- Written once a day is over, for every currency there is then.
create table house_balance_day (
  kind_id smallint not null,
  -- UTC
  day date not null,
  currency_id smallint not null,
  -- Credits minus debits before the next day, the shards summed.
  balance numeric(80,0) not null,
  constraint house_balance_day_pkey primary key (kind_id, day, currency_id)
);
insert into protected_table (name, may_update) values ('house_balance_day', false);
