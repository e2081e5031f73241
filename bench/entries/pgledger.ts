import type { BenchEntry } from '../harness/entry.ts';
import { openLedgerLab, rewardRun } from '../support/ledger-lab.ts';
import { findMissingPgledger, openPgledger } from '../support/pgledger.ts';

const BATCH = 1000;
const CALLERS = 3;
const PEOPLE = 10_000;

const toText = ({ figure }: { figure: number }): string => `${Math.round(figure)} transfers/s`;

const entry: BenchEntry = {
  name: 'pgledger',
  summary:
    `batches of ${BATCH} rewards as in ledger-batch beside the array function of ` +
    'pgledger with as many callers, each of which debits an account of its own; ' +
    'PGLEDGER_DIR names a clone of pgr0ss/pgledger',
  unit: 'transfers/s',
  operation: 'transfer',
  goal: { ratio: 3, is: 'at least' },
  rounds: 3,
  missing: findMissingPgledger,
  async open() {
    const lab = await openLedgerLab(PEOPLE);
    const pgledger = await openPgledger(lab.url, lab.postmaster, PEOPLE, CALLERS);
    return {
      ours: () => lab.measure(CALLERS, () => rewardRun(lab.userIds, BATCH)),
      anchor: () => pgledger.measure(CALLERS, BATCH, false),
      further: async () => ({
        'pgledger, all callers debit one account, as ours do': toText(
          await pgledger.measure(CALLERS, BATCH, true),
        ),
      }),
      async close() {
        await pgledger.close();
        await lab.close();
      },
    };
  },
};

export default entry;
