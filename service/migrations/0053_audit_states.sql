-- Audit: what an operator decides about a payout, a withdrawal, a settlement and held rewards has
-- before and after.

-- Jobs and signers change these, too, and their owners: only the change of an actor is recorded.
-- `transaction()` names the actor in the setting, which is absent or empty elsewhere.
create trigger payout_state_audited
  after update of status, reason_code, mismatch_outcome on payout for each row
  when (current_setting('edge_account.audit', true) <> ''
    and (old.status is distinct from new.status
      or old.reason_code is distinct from new.reason_code
      or old.mismatch_outcome is distinct from new.mismatch_outcome))
  execute function record_change('payouts', 'id', '', '', 'status,reason_code,mismatch_outcome');
-- The hold of a payout ends with it, and has no entry of its own.
create trigger hold_state_audited after update of state on hold for each row
  when (current_setting('edge_account.audit', true) <> '' and old.state <> new.state
    and coalesce(new.reference, '') not like 'payout:%')
  execute function record_change('withdrawals', 'id', '', '', 'state');

-- No job changes these columns: a statement that is run by hand has an entry, too.
create trigger reward_batch_closed_audited after update of closed_at on reward_batch for each row
  when (old.closed_at is distinct from new.closed_at)
  execute function record_change(
    'settlements', 'id', 'salt_key,root', '', 'closed_at,closed_by,close_reason');
create trigger reward_user_released_audited after update of released_at on reward_user for each row
  when (old.released_at is distinct from new.released_at)
  execute function record_change('held-rewards', 'user_id', '', '', 'released_at,released_by');
