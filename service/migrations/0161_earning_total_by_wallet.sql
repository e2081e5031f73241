-- Totals of earnings by kind of wallet, too: what a person earned in one of their wallets is read from a row per currency and
-- type, whatever else they earned. Days stay sums over all wallets.
drop table earning_total;
create table earning_total (
  user_id bigint not null,
  kind_id smallint not null,
  currency_id smallint not null,
  reward_type text not null,
  -- Two digits more than an account has, as in earning_day: sums over the wallets of a person fit.
  amount numeric(80,0) not null,
  constraint earning_total_pkey primary key (user_id, kind_id, currency_id, reward_type)
) with (fillfactor = 70);
insert into earning_total (user_id, kind_id, currency_id, reward_type, amount)
  select e.wallet_id / 32, e.wallet_id % 32, e.currency_id, coalesce(t.reward_type, ''), sum(case e.direction when 1 then e.amount else -e.amount end)
  from entry e join transfer t on t.id = e.transfer_id join transaction_type b on b.id = e.business_id and b.is_earning
  where e.wallet_id > 0 group by 1, 2, 3, 4;
