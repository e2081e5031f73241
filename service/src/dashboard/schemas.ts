/** Records and parameters of the dashboard. */
import Type, { type Static } from 'typebox';
import { Day, Decimal } from '../http/index.ts';

const Currency = Type.String({ description: 'Currency.' });
const RewardType = Type.String({
  description:
    'Reward type: `UPTIME`, `TRAFFIC`, `TASK`, `REFERRAL`, `BONUS`, `PENALTY`, `ADJUSTMENT`, ' +
    'or one of the operator’s rules.',
});

export const AccountBalanceVO = Type.Object({
  currency: Currency,
  balance: Decimal('Available in the asset wallet.'),
  hold: Decimal('Frozen in the asset wallet.'),
  bonus_balance: Decimal('Available in the reward wallet.'),
  bonus_hold: Decimal('Frozen in the reward wallet.'),
});
export type AccountBalanceVO = Static<typeof AccountBalanceVO>;

export const EarningCurrencyVO = Type.Object({
  currency: Currency,
  amount: Decimal('Signed sum of the bills whose transaction type counts as earned.'),
});
export type EarningCurrencyVO = Static<typeof EarningCurrencyVO>;

export const DashboardOverviewVO = Type.Object(
  {
    network_rewards: Decimal(
      'Cumulative network rewards in the reward currency, referral rewards included.',
    ),
    devices: Type.Integer({ description: 'Devices that are not deleted.' }),
    traffic_gb: Decimal('Cumulative traffic in GB of 10^9 bytes, deleted devices included.'),
    balances: Type.Array(AccountBalanceVO, { description: 'Every currency, zeros included.' }),
    total_earnings: Type.Array(EarningCurrencyVO, {
      description: 'Since ever; the reward currency and each other currency ever earned.',
    }),
    yesterday_earnings: Type.Array(EarningCurrencyVO, {
      description: 'Of the last whole UTC day; the same currencies.',
    }),
    today_earnings: Type.Array(EarningCurrencyVO, {
      description: 'Of the UTC day that has begun, as far as it is paid; the same currencies.',
    }),
    accrued: Type.Array(EarningCurrencyVO, {
      description:
        'Earned and not paid yet: the hours that are computed and paid with their UTC day, in ' +
        'the reward currency. 0 where each hour is paid. None of the other fields contains it.',
    }),
  },
  { description: 'The account at a glance.' },
);
export type DashboardOverviewVO = Static<typeof DashboardOverviewVO>;

export const NetworkRewardVO = Type.Object({
  reward_type: RewardType,
  currency: Currency,
  amount: Decimal('Sum since ever, penalties deducted.'),
  accrued: Type.Optional(
    Decimal('Earned and not paid yet; not contained in the amount. Absent: nothing.'),
  ),
});
export type NetworkRewardVO = Static<typeof NetworkRewardVO>;
export const NetworkRewards = Type.Array(NetworkRewardVO, {
  description: 'One element per reward type and currency.',
});

export const EarningPointVO = Type.Object({
  date: Day('UTC day on which it was earned.'),
  currency: Currency,
  amount: Decimal('Signed sum of the day as far as it is paid; 0 on a day without earnings.'),
  accrued: Type.Optional(
    Decimal('Earned on this day and not paid yet; not contained in the amount. Absent: nothing.'),
  ),
  by_reward_type: Type.Array(
    Type.Object({
      reward_type: RewardType,
      amount: Decimal('Part of the amount.'),
      accrued: Type.Optional(Decimal('Part of what has accrued. Absent: nothing.')),
    }),
  ),
});
export type EarningPointVO = Static<typeof EarningPointVO>;
export const Earnings = Type.Array(EarningPointVO, {
  description: 'Oldest day first; each day of the range, per currency.',
});

export const NodeParameters = Type.Object({
  node_id: Type.String({ description: 'Unique node ID.' }),
});

export const DeviceEarningsQuery = Type.Object({
  beginDate: Type.Optional(Day('First day. Default: the day before the last one.')),
  endDate: Type.Optional(
    Day('Last day, included. Default: today. The range holds at most 366 days.'),
  ),
});

export const EarningsQuery = Type.Object({
  beginDate: Type.Optional(Day('First day. Default: 29 days before the last one.')),
  endDate: Type.Optional(
    Day('Last day, included. Default: today. The range holds at most 366 days.'),
  ),
  currency: Type.Optional(Type.String({ description: 'Only this currency.' })),
  rewardType: Type.Optional(Type.String({ description: 'Only this reward type.' })),
  nodeId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 256, description: 'Only what this device earned.' }),
  ),
});
export type EarningsQuery = Static<typeof EarningsQuery>;
