-- Payouts: a person approves a document once with a passkey; again when that one was removed.
create unique index concurrently payout_decision_approval_passkey_key
  on payout_decision (payout_id, user_id, (details ->> 'document_hash'), (assertion ->> 'id'))
  where decision = 'approved';
