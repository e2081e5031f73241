/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../../http/index.ts';

export const operations = describeOperations('operator-overview', {
  getNetworkOverview: {
    summary: 'Figures and alerts of the network',
    description:
      'People, devices, rewards and deposits of the last 30 days, what waits, and limits that ' +
      'are exceeded. Each figure costs the same in a network of any size.',
  },
});
