import type { HouseAccount, Posting } from '../../service/src/ledger/index.ts';
import type { BenchEntry } from '../harness/entry.ts';
import { openLedgerLab, someReward } from '../support/ledger-lab.ts';

const CALLERS = 64;
const SPREAD: readonly HouseAccount[] = [
  'reward_pool',
  'deposit_clearing',
  'package_sales',
  'conversion',
  'adjustment',
  'external_sales',
  'fees',
  'treasury',
];

const entry: BenchEntry = {
  name: 'ledger-hot',
  summary:
    'single transfers from 64 callers that all debit one account of the house, beside ' +
    'the same spread over eight of them',
  unit: 'transfers/s',
  operation: 'transfer',
  goal: { ratio: 0.8, is: 'at least' },
  rounds: 5,
  async open() {
    const lab = await openLedgerLab(10_000);
    const hot = (): Posting[] => [someReward(lab.userIds)];
    const spread = (): Posting[] => [
      {
        ...someReward(lab.userIds),
        debit: { house: SPREAD[Math.floor(Math.random() * SPREAD.length)] ?? 'treasury' },
      },
    ];
    return {
      ours: () => lab.measure(CALLERS, hot),
      anchor: () => lab.measure(CALLERS, spread),
      close: lab.close,
    };
  },
};

export default entry;
