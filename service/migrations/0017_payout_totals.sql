-- Payouts: what all users together have asked for, for the limit of 24 hours.

-- Amounts of the payouts of a currency that were requested in ten minutes and not given back.
create table payout_total (
  -- currency.code
  currency text not null,
  -- Begin of the ten minutes.
  starts_at timestamptz not null,
  amount numeric(78,0) not null constraint payout_total_amount_check check (amount >= 0),
  constraint payout_total_pkey primary key (currency, starts_at)
);

-- In the database, so that also a process of the version before counts during an update.
create function count_payout() returns trigger language plpgsql as $$
declare
  start timestamptz := date_bin('10 minutes', new.requested_at, timestamptz 'epoch');
begin
  if new.status in ('failed', 'cancelled', 'rejected') then
    update payout_total set amount = amount - new.amount
      where currency = new.currency and starts_at = start;
  else
    insert into payout_total as total (currency, starts_at, amount)
      values (new.currency, start, new.amount)
      on conflict (currency, starts_at) do update set amount = total.amount + excluded.amount;
  end if;
  return null;
end $$;

create trigger payout_requested after insert on payout for each row
  when (new.status not in ('failed', 'cancelled', 'rejected')) execute function count_payout();
create trigger payout_given_back after update of status on payout for each row
  when ((old.status in ('failed', 'cancelled', 'rejected'))
    <> (new.status in ('failed', 'cancelled', 'rejected'))) execute function count_payout();

-- The triggers hold a lock on the table: no payout is missed, and none is counted twice.
insert into payout_total (currency, starts_at, amount)
  select currency, date_bin('10 minutes', requested_at, timestamptz 'epoch'), sum(amount)
  from payout where status not in ('failed', 'cancelled', 'rejected') group by 1, 2;

-- The limit of all users was its only reader.
drop index payout_currency_idx;
