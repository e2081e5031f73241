-- Payouts: a payout that comes back from a signer is approved anew, with another document.

drop index payout_decision_approval_key;
-- A person approves a document once.
create unique index payout_decision_approval_key
  on payout_decision (payout_id, user_id, (details ->> 'document_hash'))
  where decision = 'approved';
