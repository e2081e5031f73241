-- Rewards: settlements that are not finished, for metrics and the overview of operators.
create index concurrently reward_batch_unfinished_idx on reward_batch (id) where state <> 'settled';
