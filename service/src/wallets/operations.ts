/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../http/index.ts';

const SEARCHES =
  'Looks through the 2,000 newest bills of the filter at most, and says how far back it went: ' +
  '`next` as `cursor` searches the older ones, until it is absent. There can be a next search ' +
  'where nothing was found. The number of a bill or transfer is found at once, however old it is.';

export const operations = describeOperations('wallets', {
  listBalances: {
    summary: 'Balances of the asset wallet',
    description:
      'Every currency of the asset wallet, zeros included, or the one that is asked for.',
  },
  listRewardBalances: {
    summary: 'Balances of the reward wallet',
    description:
      'Every currency of the reward wallet, zeros included, and by reward type what was ' +
      'earned.',
  },
  listBills: {
    summary: 'Bills of the asset wallet, newest first',
    description: 'Movements of money in the asset wallet. Days are in UTC.',
  },
  exportBills: {
    summary: 'Export bills',
    description:
      'The same filters, newest first, without paging; a JSON array, or CSV with `Accept: ' +
      'text/csv`. Streamed.',
  },
  getMonthlyStatement: {
    summary: 'Monthly statement as PDF',
    description:
      'One UTC month of both wallets: every bill, oldest first, and in each currency the balance ' +
      'before and after, with what came in and went out between. All amounts are exact. Name and ' +
      'email address of the holder are in it for tokens with `profile` and `email`. At most 20 ' +
      'an hour for each user. Streamed.',
    failures: ['rate_limited'],
  },
  searchBills: {
    summary: 'Search the asset wallet',
    description: SEARCHES,
  },
  listSubtotals: {
    summary: 'Subtotals of the asset wallet',
    description:
      'Exact sums of all bills in intervals of time, for example of days in the time zone of the ' +
      'reader. The cost does not depend on how many bills an interval has.',
  },
  getAssetSummary: {
    summary: 'What the asset wallet is worth',
    description:
      'Values each currency of the asset wallet at its latest price. Currencies without a ' +
      'price are listed, but not in the total.',
  },
  listRewardBills: {
    summary: 'Bills of the reward wallet, newest first',
    description: 'Movements of money in the reward wallet. Days are in UTC.',
  },
  exportRewardBills: {
    summary: 'Export bills',
    description:
      'The same filters, newest first, without paging; a JSON array, or CSV with `Accept: ' +
      'text/csv`. Streamed.',
  },
  searchRewardBills: {
    summary: 'Search the reward wallet',
    description: SEARCHES,
  },
  listRewardSubtotals: {
    summary: 'Subtotals of the reward wallet',
    description:
      'Exact sums of all bills in intervals of time, for example of days in the time zone of the ' +
      'reader. The cost does not depend on how many bills an interval has.',
  },
  getRewardAssetSummary: {
    summary: 'What the reward wallet is worth',
    description:
      'Values each currency of the reward wallet at its latest price. Currencies without a ' +
      'price are listed, but not in the total.',
  },
  createConversionQuote: {
    summary: 'Ask what a conversion of rewards would bring',
    description:
      'An offer at the present price, which holds for a minute. It moves no money and holds ' +
      'none.',
    failures: ['no_price', 'price_too_old', 'rate_limited'],
  },
  convertRewards: {
    summary: 'Convert rewards into the asset wallet',
    description: 'Takes an offer of `/bonus-account/convert/quote`. Needs an `Idempotency-Key`.',
    failures: [
      'money_frozen',
      'quote_expired',
      'quote_used',
      'insufficient_funds',
      'balance_too_large',
      'account_closed',
      'not_found',
    ],
  },
});
