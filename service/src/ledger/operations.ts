/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../http/index.ts';

export const operations = describeOperations('wallets', {
  listCurrencies: {
    summary: 'Currencies, their scales and networks',
    description: 'Each currency with its decimals, and the networks on which it can be deposited.',
  },
});
