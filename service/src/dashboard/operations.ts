/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../http/index.ts';

export const operations = describeOperations('dashboard', {
  getOverview: {
    summary: 'The account at a glance',
    description: 'Devices, traffic, balances, and what was earned in all and yesterday (UTC).',
  },
  listNetworkRewards: {
    summary: 'Rewards since ever, by reward type',
    description:
      'The sum of each reward type and currency since the account exists, penalties deducted.',
  },
  listDeviceEarnings: {
    summary: 'What a device earned by day',
    description:
      'As `GET /dashboard/earnings` of one device, for the device itself: the token of a device ' +
      'sees what this device earned, and nothing else of the account.',
    failures: ['not_found'],
  },
  listEarnings: {
    summary: 'Earnings by day',
    description:
      'Each day in UTC of the range, with its sum by currency and its parts by reward type.',
  },
});
