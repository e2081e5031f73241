-- Payouts: where the log of decisions ends, so that entries removed from its end are missed.

-- The last entry of the log; one row, written with each entry.
create table payout_decision_end (
  only_row boolean constraint payout_decision_end_pkey primary key
    constraint payout_decision_end_only_check check (only_row),
  -- payout_decision.position
  position bigint not null,
  -- Keyed hash over the position and the mac of the entry.
  seal bytea not null
);
