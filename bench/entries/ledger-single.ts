import type { BenchEntry } from '../harness/entry.ts';
import {
  type LedgerLab,
  measureEmbedded,
  measurePosts,
  openLedgerLab,
  someReward,
} from '../support/ledger-lab.ts';

const CALLERS = 64;

const measureOneCaller = ({ database, userIds }: LedgerLab): Promise<number> =>
  measurePosts(database, 1, () => [someReward(userIds)], 2);

const entry: BenchEntry = {
  name: 'ledger-single',
  summary:
    'single transfers from 64 concurrent callers, each answered once it is committed, ' +
    'beside pgbench TPC-B (prepared, 16 clients)',
  unit: 'transfers/s',
  operation: 'transfer',
  goal: { ratio: 3, is: 'at least' },
  rounds: 5,
  warmUps: 3,
  async open() {
    const lab = await openLedgerLab(10_000);
    return {
      ours: () => lab.measure(CALLERS, () => [someReward(lab.userIds)]),
      anchor: lab.tpcb,
      further: async () => ({
        'one caller alone': `${Math.round(await measureOneCaller(lab))} transfers/s`,
        'embedded, 64 callers': await measureEmbedded(CALLERS, 1),
      }),
      close: lab.close,
    };
  },
};

export default entry;
