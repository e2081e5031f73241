-- Rewards: the hours that wait for the payment of their day, for users who ask what has accrued.
create index concurrently reward_batch_computed_idx on reward_batch (hour)
  where state = 'computed';
