import type { BenchEntry } from '../harness/entry.ts';
import {
  bytesPerTransfer,
  measureEmbedded,
  measurePosts,
  openLedgerLab,
  rewardRun,
  someReward,
} from '../support/ledger-lab.ts';

const BATCH = 1000;
const CALLERS = 3;

const entry: BenchEntry = {
  name: 'ledger-batch',
  summary:
    'batches of 1,000 rewards to people in a row, as a settlement posts them, through ' +
    'the door of the ledger, sealed and rolled up, beside pgbench TPC-B (prepared, 16 ' +
    'clients)',
  unit: 'transfers/s',
  operation: 'transfer',
  goal: { ratio: 5, is: 'at least' },
  rounds: 3,
  async open() {
    const lab = await openLedgerLab(10_000);
    return {
      ours: () => lab.measure(CALLERS, () => rewardRun(lab.userIds, BATCH)),
      anchor: lab.tpcb,
      further: async () => ({
        'to people picked at random: each batch waits for the other': `${Math.round(
          await measurePosts(lab.database, CALLERS, () =>
            Array.from({ length: BATCH }, () => someReward(lab.userIds)),
          ),
        )} transfers/s`,
        'bytes per transfer, indexes, entries, seals and roll-ups included': await bytesPerTransfer(
          lab.database,
        ),
        'embedded, batches of 1,000': await measureEmbedded(1, BATCH),
      }),
      close: lab.close,
    };
  },
};

export default entry;
