-- Payouts: what a killed run has left of the index.
drop index concurrently if exists payout_decision_approval_passkey_key;
