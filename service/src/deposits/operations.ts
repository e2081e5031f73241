/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../http/index.ts';

export const operations = describeOperations('deposits', {
  getDepositAddress: {
    summary: 'The address to deposit a currency to',
    description:
      'Made at the first request, then always the same; every EVM network shares one. 409 ' +
      '`network_unavailable` where the operator has not configured the network.',
    failures: ['network_unavailable'],
  },
  listDeposits: {
    summary: 'Deposits of the caller, newest first',
    description: 'Payments to the deposit addresses of the caller, from the first confirmation on.',
  },
  getDeposit: {
    summary: 'One deposit of the caller',
    description: 'The same record as in the list.',
  },
});
