/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../../http/index.ts';

export const operations = describeOperations('operator-ledger', {
  getStatement: {
    summary: 'Statement of any account',
    description:
      'Bills of one account of a person or of the house for a range of days in UTC, with the ' +
      'balances before the first and after the last.',
    failures: ['unknown_user'],
  },
  listHouseDays: {
    summary: 'Statement of an account of the house, by days',
    description:
      'The balances at the begin and at the end of each day in UTC, and how many bills it has. ' +
      '`GET /operator/statements` has the bills of a day.',
  },
  listLedgerAccounts: {
    summary: 'Balances of the house beside those of all people',
    description:
      "By currency: each account of the house, and the sums of people's wallets. All balances " +
      'of a currency add up to zero.',
  },
  listWalletKinds: {
    summary: 'Kinds of wallets, and accounts of the house',
    description: 'The codes that transfers may name.',
  },
  putWalletKind: {
    summary: 'Add a kind of wallet, or an account of the house',
    description:
      'For good: it never changes and is never removed. Harmless when it exists on the same ' +
      'side; 409 `wallet_exists` when it is of the other one. People can have 31 kinds (409 ' +
      "`wallet_limit`). A further wallet of people is the operator's to post to and to show: " +
      '`/account/*` and `/bonus-account/*` stay those of `asset` and `bonus`.',
    failures: ['wallet_exists', 'wallet_limit'],
  },
  listLedgerHeads: {
    summary: 'Signed daily heads of the ledger',
    description:
      'Each head signs the seals of all postings up to a point, so that an older copy proves ' +
      'that nothing before it was changed. One for each day that is over; `before` leads to ' +
      'older ones.',
  },
  signLedgerHead: {
    summary: 'Sign where the ledger stands now',
    description:
      'Seals and signs what is posted by now. Where nothing was posted since the last head, ' +
      'that one is answered.',
  },
  listOperatorLedgerKeys: {
    summary: 'Keys that sign the heads',
    description: 'The same keys as `/.well-known/ledger-keys.json`.',
  },
  listLedgerKeys: {
    summary: 'Keys that sign the heads of the ledger (JWK set)',
    description:
      'Ed25519 public keys, for auditors who check signed heads without access to the service.',
  },
  exportJournal: {
    summary: 'The whole ledger as a plain-text journal',
    description:
      'For `ledger` or `hledger`: every transfer, and at the end the stored balances as ' +
      'assertions. Streamed.',
  },
});
