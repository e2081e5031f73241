/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../../http/index.ts';

export const operations = describeOperations('operator-money', {
  payReward: {
    summary: 'Pay a reward',
    description:
      'Posts from the reward pool into the reward wallet. The type `PENALTY` takes the ' +
      '(positive) amount back and may make the wallet negative. Needs an `Idempotency-Key`.',
    failures: ['unknown_user', 'account_closed', 'balance_too_large'],
  },
  postTransfers: {
    summary: 'Post a batch of transfers',
    description:
      'Up to 1000; a refused or malformed item fails alone, unless `atomic` is true. Needs an ' +
      '`Idempotency-Key`.',
  },
  reverseTransfer: {
    summary: 'Undo a transfer by a new one',
    description:
      'Once; it passes even if the person has spent the money, and then freezes the account. ' +
      'Of a conversion both halves are undone together; purchases have refunds instead, and ' +
      'deposits from a chain are taken back by an adjustment. Needs an `Idempotency-Key`.',
    failures: ['already_reversed', 'not_reversible', 'balance_too_large', 'counter_negative'],
  },
  getTransfer: {
    summary: 'One transfer',
    description:
      'Both sides, what it was for, which transfer it undoes or was undone by, and whether it ' +
      'can be undone.',
  },
  listTransfers: {
    summary: 'Transfers, newest first',
    description:
      'Of everything, of a person, or of an account of the house, however old: what was archived ' +
      'is listed, too. A page that has a `next` one may be shorter than `size`: what moves ' +
      'between two wallets of the person is listed once.',
  },
  createWithdrawal: {
    summary: 'Hold money for a withdrawal',
    description: 'Of the asset wallet. Needs an `Idempotency-Key`.',
    failures: ['unknown_user', 'money_frozen', 'account_closed', 'insufficient_funds'],
  },
  listWithdrawals: {
    summary: 'The last 100 withdrawals of a person',
    description: 'Newest first, whatever their state is.',
  },
  listHolds: {
    summary: 'Withdrawals that are held, oldest first',
    description:
      'Money of all people that is set aside and was neither settled nor given back, so that ' +
      'none is forgotten. Those of payouts are among them, with `payout:` and its id as ' +
      '`reference`: they end with their payout.',
  },
  settleWithdrawal: {
    summary: 'Settle a withdrawal, whole or in part',
    description:
      'Records what was paid out, so it passes even if money of the person was frozen since, ' +
      'or the account closed: what was held covers it. Before paying, make sure that it may ' +
      'still be paid. Needs an `Idempotency-Key`.',
    failures: [
      'hold_of_payout',
      'hold_not_open',
      'hold_expired',
      'hold_too_small',
      'balance_too_large',
    ],
  },
  cancelWithdrawal: {
    summary: 'Give back what is held',
    description:
      'What is still held returns to the available balance of the person. Needs an ' +
      '`Idempotency-Key`.',
    failures: ['hold_of_payout', 'hold_not_open', 'hold_expired'],
  },
  getWithdrawal: {
    summary: 'One withdrawal',
    description: 'What is held, what of it was settled, and the state.',
  },
  createPurchase: {
    summary: 'Record the purchase of a package',
    description:
      'Debits the asset wallet of the person in the reward currency, or with `external` only ' +
      'records it. Needs an Idempotency-Key.',
    failures: ['unknown_user', 'account_closed', 'insufficient_funds', 'balance_too_large'],
  },
  refundPurchase: {
    summary: 'Refund a purchase, whole or in part',
    description: 'The money goes back to where it came from. Needs an Idempotency-Key.',
    failures: ['refund_too_large', 'balance_too_large'],
  },
  listPurchases: {
    summary: 'Purchases, last recorded first',
    description: 'Of all people, or of one.',
  },
  getPurchase: {
    summary: 'Read a purchase',
    description: 'What was bought, by whom, and what was refunded.',
  },
});
