-- Payouts: the index before did not know the passkey.
drop index concurrently if exists payout_decision_approval_key;
