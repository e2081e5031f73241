/** Errors of payouts; see `failures.ts`. */
export const PAYOUT_FAILURES = {
  payout_unavailable: {
    kind: 'conflict',
    title: 'Payouts in this currency and network are closed',
  },
  payout_below_minimum: { kind: 'conflict', title: 'The amount is below the minimum of payouts' },
  payout_above_limit: { kind: 'conflict', title: 'The amount exceeds a limit of payouts' },
  payout_address_not_usable: { kind: 'conflict', title: 'The payout address is too new' },
  payout_address_exists: { kind: 'conflict', title: 'The payout address exists' },
  payout_address_limit: { kind: 'conflict', title: 'Payout address limit reached' },
  payout_not_open: { kind: 'conflict', title: 'The status of the payout does not allow this' },
  payout_stopped: { kind: 'conflict', title: 'Payouts in this currency are stopped' },
  payout_of_other_signer: { kind: 'conflict', title: 'Another signer has taken this payout' },
  payout_nonce_changed: {
    kind: 'conflict',
    title: 'The payout has transactions with another nonce',
  },
  payout_owner_inactive: {
    kind: 'conflict',
    title: 'The account of the payout’s owner is disabled or closed',
  },
  payout_own: { kind: 'forbidden', title: 'No operator approves a payout of their own' },
  payout_approved_by_caller: { kind: 'conflict', title: 'The caller has approved this payout' },
  approval_invalid: {
    kind: 'forbidden',
    title: 'The passkey assertion does not approve this document',
  },
  payout_signature_required: {
    kind: 'forbidden',
    title: 'A passkey of the account must sign the payout',
  },
  hold_of_payout: { kind: 'conflict', title: 'The hold belongs to a payout' },
} as const;
