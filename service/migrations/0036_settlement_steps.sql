-- The rows of the version before have no step.
alter table reward_batch validate constraint reward_batch_step_check;
