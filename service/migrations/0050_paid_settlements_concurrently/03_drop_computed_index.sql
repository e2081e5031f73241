-- Rewards: what a killed run has left of the index.
drop index concurrently if exists reward_batch_computed_idx;
