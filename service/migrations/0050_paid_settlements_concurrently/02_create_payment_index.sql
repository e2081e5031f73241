-- Rewards: the settlements that a payment pays.
create index concurrently reward_batch_payment_idx on reward_batch (payment_id)
  where payment_id is not null;
