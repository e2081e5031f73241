-- Payouts: what the passkey of a payout's user has signed.

alter table payout
  -- Passkey assertion over the order, and the public key; null: the user had no passkey.
  add column owner_assertion jsonb,
  -- What an operator decided about a transaction that does not pay what the document says.
  add column mismatch_outcome text constraint payout_mismatch_outcome_check
    check (mismatch_outcome in ('confirmed', 'failed'));
