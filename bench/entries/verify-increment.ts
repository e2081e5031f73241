import { type Database, openServer } from '../../service/src/db/index.ts';
import {
  installLedger,
  postTransfers,
  signDailyHead,
  verifyLedger,
  verifyLedgerSinceHead,
} from '../../service/src/ledger/index.ts';
import { createManualClock } from '../../service/src/lib/clock.ts';
import { testMasterKey } from '../../service/test/support/test-config.ts';
import type { BenchEntry } from '../harness/entry.ts';
import { withProcessorTime } from '../harness/processor-time.ts';
import { sized } from '../harness/sizes.ts';
import { openLedgerLab, rewardRun } from '../support/ledger-lab.ts';

const PEOPLE = 100_000;
const BEFORE = sized(1_000_000, 50_000);
const DAY = sized(1_000_000, 20_000);
const BATCH = 1000;
const DAY_MS = 86_400_000;
/** For a day of a million postings. */
const LIMIT_S = 60 * (DAY / 1_000_000);

async function post(database: Database, people: readonly number[], count: number): Promise<void> {
  for (let posted = 0; posted < count; posted += BATCH)
    await postTransfers(database, rewardRun(people, BATCH));
}

async function time(
  verify: () => Promise<{ readonly findings: readonly unknown[]; readonly transfers: number }>,
): Promise<{ seconds: number; transfers: number }> {
  const start = performance.now();
  const { findings, transfers } = await verify();
  if (findings.length > 0) throw new Error('the ledger does not agree');
  return { seconds: (performance.now() - start) / 1000, transfers };
}

async function verifySince(database: Database): Promise<{ seconds: number; transfers: number }> {
  return time(async () => {
    const report = await verifyLedgerSinceHead(database);
    if (!report) throw new Error('there is no head to continue from');
    return report;
  });
}

const entry: BenchEntry = {
  name: 'verify-increment',
  summary:
    `verifying a day of ${DAY} postings after ${BEFORE} others, from the last signed head on, ` +
    `beside the limit of ${LIMIT_S} s`,
  unit: 's',
  operation: 'posting',
  goal: { ratio: 1, is: 'at most' },
  rounds: 1,
  warmUps: 0,
  async open() {
    const lab = await openLedgerLab(PEOPLE);
    const clock = createManualClock(new Date().toISOString());
    const database = await openServer({ url: lab.url, poolSize: 4, onError: () => {} });
    installLedger(database, { clock, masterKey: testMasterKey });
    const closeDay = async (): Promise<void> => {
      clock.advance(DAY_MS);
      await signDailyHead(database);
      clock.advance(1000);
    };
    await post(database, lab.userIds, BEFORE);
    await closeDay();
    await post(database, lab.userIds, DAY);
    return {
      ours: () =>
        withProcessorTime({ service: process.pid, postmaster: lab.postmaster }, async () => {
          const { seconds, transfers } = await verifySince(database);
          return { figure: seconds, operations: transfers };
        }),
      anchor: async () => LIMIT_S,
      further: async () => {
        const whole = await time(() => verifyLedger(database));
        await closeDay();
        await post(database, lab.userIds, DAY / 10);
        const tenth = await verifySince(database);
        return {
          [`the whole, ${whole.transfers} postings`]: `${whole.seconds.toFixed(1)} s`,
          [`a day of ${tenth.transfers} postings`]: `${tenth.seconds.toFixed(1)} s`,
        };
      },
      async close() {
        await database.close();
        await lab.close();
      },
    };
  },
};

export default entry;
