-- Rewards: the hours of a UTC day are paid together, when the day is over.

-- The payment of hours that waited for it, and of the corrections that were found with them.
create table reward_payment (
  id bigint generated always as identity constraint reward_payment_pkey primary key,
  created_at timestamptz not null,
  -- Null: being paid.
  paid_at timestamptz
);
-- Instances that open a payment concurrently find the same one.
create unique index reward_payment_open_key on reward_payment ((true)) where paid_at is null;

-- Ranges of users whose bills are not posted yet. A row is deleted where its bills are posted.
create table reward_payment_step (
  payment_id bigint not null
    constraint reward_payment_step_payment_fkey references reward_payment (id),
  first_user bigint not null,
  -- Null: no user is beyond it.
  next_user bigint,
  constraint reward_payment_step_pkey primary key (payment_id, first_user)
);

alter table reward_batch
  -- hour: each line has a bill. day: the lines of a UTC day have one for each user, reward type
  -- and device.
  add column period text not null default 'hour',
  -- Period day: the payment that pays its lines. Null: it waits.
  add column payment_id bigint;
alter table reward_batch add constraint reward_batch_payment_fkey
  foreign key (payment_id) references reward_payment (id) not valid;
alter table reward_batch validate constraint reward_batch_payment_fkey;
-- computed: lines are complete, and wait for the payment of their day.
alter table reward_batch drop constraint reward_batch_state_check;
alter table reward_batch add constraint reward_batch_state_check
  check (state in ('open', 'computed', 'posting', 'settled')) not valid;
alter table reward_batch validate constraint reward_batch_state_check;
-- Instances of the version before post each line of a computed settlement: a day would pay the
-- lines again.
alter table reward_batch add constraint reward_batch_period_check check (
  case period
    when 'hour' then state <> 'computed' and payment_id is null
    when 'day' then state <> 'posting'
    else false
  end
) not valid;
alter table reward_batch validate constraint reward_batch_period_check;
