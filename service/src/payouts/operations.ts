/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../http/index.ts';

const TERMS_FAILURES = ['payout_unavailable', 'payout_stopped', 'payout_below_minimum'] as const;

const person = describeOperations('payouts', {
  listPayoutAddresses: {
    summary: 'Payout addresses',
    description: 'The addresses that the user may be paid at, oldest first.',
  },
  addPayoutAddress: {
    summary: 'Add a payout address',
    description:
      'Needs a second factor that was verified in the last minutes, by the login or ' +
      '`/me/reauthenticate`; an account with an authenticator or passkey must have used it. ' +
      'The address is checked by its checksum, its owner gets a mail, and payouts to it are ' +
      'possible after 24 hours.',
    failures: ['reauthentication_required', 'payout_address_exists', 'payout_address_limit'],
  },
  removePayoutAddress: {
    summary: 'Remove a payout address',
    description: 'Payouts that were requested before continue.',
  },
  quotePayout: {
    summary: 'Ask what a payout would cost',
    description:
      'The fee, the minimum, what would arrive, and what the limits leave. It moves no money.',
    failures: [...TERMS_FAILURES],
  },
  requestPayout: {
    summary: 'Request a payout',
    description:
      'Holds the amount until it is paid, cancelled or rejected. Needs an `Idempotency-Key` and ' +
      'a second factor that was verified in the last minutes; an account with an authenticator ' +
      'must have used it, one without has a lower limit, as has one whose factors or email ' +
      'address changed in the last 24 hours. An account with a passkey signs the ' +
      'payout with it instead: `createPayoutSigningOptions` tells what, and the signer verifies ' +
      'it again. A wrong or missing signature is not recorded under the key.',
    failures: [
      ...TERMS_FAILURES,
      'reauthentication_required',
      'payout_signature_required',
      'approval_invalid',
      'money_frozen',
      'quote_expired',
      'payout_address_not_usable',
      'payout_above_limit',
      'insufficient_funds',
      'account_closed',
      'not_found',
    ],
  },
  createPayoutSigningOptions: {
    summary: 'What a passkey signs before a payout is requested',
    description:
      'Send the body and the `Idempotency-Key` that the request will have. The challenge is the ' +
      'hash of the order; programs that show the payout themselves compare the order with what ' +
      'they show. It moves no money.',
    failures: [...TERMS_FAILURES, 'quote_expired', 'not_found'],
  },
  listPayouts: { summary: 'Payouts, newest first', description: 'The payouts of the user.' },
  getPayout: {
    summary: 'One payout',
    description: 'With the confirmations that its transaction has now.',
  },
  cancelPayout: {
    summary: 'Cancel a payout',
    description:
      'While it is `requested`, `in_review` or `approved`: the signer has not taken it. The ' +
      'money is available again. Needs an `Idempotency-Key`.',
    failures: ['payout_not_open'],
  },
});

const operator = describeOperations('operator-payouts', {
  getPayoutPolicy: {
    summary: 'The payout policy',
    description: 'The newest version. Without one nothing is paid out.',
    failures: ['not_found'],
  },
  putPayoutPolicy: {
    summary: 'Write the next version of the payout policy',
    description:
      'Fees, limits and bounds for each currency and network. Applies to requests from now on; a ' +
      'quote keeps its fee for five minutes, and nothing else. The address of the sanctions ' +
      'check also applies to payouts that wait for its answer. Earlier versions are kept.',
  },
  listReviewedPayouts: {
    summary: 'Payouts of all users with a status, oldest first, or of one person',
    description:
      'The queue is `?status=in_review`, with the reasons of each review. With `user_id`, those ' +
      'of one person, newest first, in every status or in one.',
  },
  getReviewedPayout: {
    summary: 'One payout, as operators see it',
    description: 'With its document, the answer of the sanctions check, and all decisions.',
  },
  createApprovalOptions: {
    summary: 'Options of a passkey approval',
    description: 'The challenge is the hash of the payout’s document.',
  },
  approvePayout: {
    summary: 'Approve a payout with a passkey',
    description:
      'The assertion signs the hash of the document; the signer verifies it again. Above the ' +
      'bound of the policy two distinct operators approve, and none approves their own payout.',
    failures: [
      'payout_own',
      'payout_not_open',
      'payout_stopped',
      'payout_owner_inactive',
      'payout_approved_by_caller',
      'approval_invalid',
    ],
  },
  rejectPayout: {
    summary: 'Reject a payout',
    description:
      'While the signer has not taken it. The money is available again. The owner reads ' +
      '`reason`, and never `remark`. Harmless when repeated.',
    failures: ['payout_not_open'],
  },
  releasePayout: {
    summary: 'Take a payout back from a signer that lost its state',
    description:
      'While the signer has reported no transaction of it: it reports each before it sends it, ' +
      'and later reports of it are refused. The payout gets a new document, which two operators ' +
      'approve; the decision is kept in the sealed log. Harmless when repeated.',
    failures: ['payout_not_open'],
  },
  decidePayoutMismatch: {
    summary: 'Decide about a transaction that does not pay what the document says',
    description:
      'Of a payout in `sent` with the reason `transaction_mismatch`: the transaction counts as ' +
      'the payment, or the money is given back, for which as many operators decide as the payout ' +
      'needed approvals. Persons only. Carried out once the block is final; the decision is kept ' +
      'in the sealed log. Harmless when repeated.',
    failures: ['payout_own', 'payout_not_open'],
  },
  listApproverKeys: {
    summary: 'The caller’s passkeys as public keys',
    description: 'For the configuration of the signer.',
  },
  listPayoutStops: { summary: 'Stopped currencies', description: 'With the reasons.' },
  stopPayouts: {
    summary: 'Stop the payouts of a currency',
    description:
      'Nothing is requested, approved, taken by the signer, or sent by it. What the chain has ' +
      'cannot be stopped. Harmless when repeated.',
  },
  resumePayouts: {
    summary: 'Let the payouts of a currency continue',
    description: 'Harmless when repeated.',
  },
  takePayouts: {
    summary: 'Take approved payouts, as the signer',
    description:
      'Each payout goes to one signer. What the same signer took before and has not sent is ' +
      'listed again. A payout whose owner is disabled, or whose approvers may no longer approve, ' +
      'goes back to review instead.',
  },
  reportPayouts: {
    summary: 'Report transactions, as the signer',
    description:
      'All of them or none. Harmless when repeated. A first transaction is not to be sent when ' +
      'its report is refused: with `payout_stopped` while the currency is stopped, with ' +
      '`payout_of_other_signer` when operators have taken the payout back, or the account of ' +
      'its owner was disabled.',
    failures: [
      'not_found',
      'payout_of_other_signer',
      'payout_nonce_changed',
      'payout_not_open',
      'payout_stopped',
    ],
  },
});

export const operations = { ...person, ...operator };
