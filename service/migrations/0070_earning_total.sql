-- Earnings by currency and type since ever, so that a total never sums years of days. A projection of earning_day,
-- kept by it: whatever statement writes a day also writes the total, in the same transaction.
create table earning_total (
  user_id bigint not null,
  currency_id smallint not null,
  reward_type text not null,
  amount numeric(78,0) not null,
  constraint earning_total_pkey primary key (user_id, currency_id, reward_type)
) with (fillfactor = 70);

create function add_earning_total() returns trigger language plpgsql as $$
begin
  insert into earning_total as total (user_id, currency_id, reward_type, amount)
    select user_id, currency_id, reward_type, sum(amount) from added group by 1, 2, 3 order by 1, 2, 3
    on conflict (user_id, currency_id, reward_type) do update set amount = total.amount + excluded.amount;
  return null;
end $$;
create trigger earning_day_added after insert on earning_day referencing new table as added
  for each statement execute function add_earning_total();

create function change_earning_total() returns trigger language plpgsql as $$
begin
  insert into earning_total as total (user_id, currency_id, reward_type, amount)
    select user_id, currency_id, reward_type, sum(amount) from (
      select user_id, currency_id, reward_type, amount from now_there
      union all select user_id, currency_id, reward_type, -amount from was_there
    ) as difference group by 1, 2, 3 order by 1, 2, 3
    on conflict (user_id, currency_id, reward_type) do update set amount = total.amount + excluded.amount;
  return null;
end $$;
create trigger earning_day_changed after update on earning_day referencing old table as was_there new table as now_there
  for each statement execute function change_earning_total();
