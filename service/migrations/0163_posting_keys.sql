-- The ledger keeps what the idempotency key of a request stands for: the key and the hash of the request stand with the
-- transfer, the step of a hold or the refusal, and the answer is built from these.

-- What the answer of a refusal said besides its code: {"detail": …, "fields": […]}.
alter table refused_posting add column details jsonb;
-- What is still held after the step: a repeated request is answered as at first.
alter table hold_step add column remaining numeric(78,0) not null constraint hold_step_remaining_check check (remaining >= 0);

-- Every batch locks its accounts and its shard, so rows need no version.
drop trigger account_version on account;
drop function give_account_version();
alter table account drop column version;
