import { setTimeout as sleep } from 'node:timers/promises';
import { createRollUpJob } from '../../service/src/community/index.ts';
import { listMembers } from '../../service/src/community/list-members.ts';
import { createMatchCache } from '../../service/src/community/search-cache.ts';
import { createJobRunner } from '../../service/src/jobs/index.ts';
import { installLedger } from '../../service/src/ledger/index.ts';
import { systemClock } from '../../service/src/lib/clock.ts';
import { testMasterKey } from '../../service/test/support/test-config.ts';
import { closeMillion, openMillion } from '../community/million.ts';
import { insertBuyers, join, purchase } from '../community/write-side.ts';
import type { BenchEntry } from '../harness/entry.ts';

const PER_SECOND = 100;
const SECONDS = 15;
const GOAL_MS = 1000;

/** Runs `work` a hundred times a second, without waiting for one before the next. */
async function atRate(work: (n: number) => Promise<unknown>): Promise<void> {
  const pending: Promise<unknown>[] = [];
  const started = performance.now();
  for (let n = 0; n < PER_SECOND * SECONDS; n++) {
    await sleep(Math.max(0, started + (n * 1000) / PER_SECOND - performance.now()));
    pending.push(work(n));
  }
  await Promise.all(pending);
}

const entry: BenchEntry = {
  name: 'community-lag',
  summary:
    'time until the performance of the first person shows a purchase at depth 30 (p99), ' +
    'at 100 joins, 100 purchases and 100 pages a second, beside one second',
  unit: 'ms',
  goal: { ratio: 1, is: 'at most' },
  rounds: 2,
  async open() {
    const { database, places } = await openMillion();
    installLedger(database, { clock: systemClock, masterKey: testMasterKey });
    const buyers = await insertBuyers(database, places.depth30);
    const runner = createJobRunner(database, [createRollUpJob(database)], (_job, error) =>
      console.error(error),
    );
    await runner.start();
    const source = { db: database, matches: createMatchCache(), scale: 18 };
    const shown = async (): Promise<bigint> => {
      const { rows } = await database.query<{ amount: string }>(
        'select downline_amount as amount from community_stats where user_id = $1',
        [places.root],
      );
      return BigInt(rows[0]?.amount ?? 0) / 10n ** 18n;
    };
    return {
      async ours() {
        const before = await shown();
        const commits: number[] = [];
        const lags: number[] = [];
        let isLoading = true;
        const watch = (async () => {
          while (isLoading || lags.length < commits.length) {
            const visible = Number((await shown()) - before);
            while (lags.length < visible && lags.length < commits.length)
              lags.push(performance.now() - (commits[lags.length] ?? 0));
            await sleep(5);
          }
        })();
        await Promise.all([
          atRate((n) =>
            purchase(database, buyers[n % buyers.length] ?? 0).then(() =>
              commits.push(performance.now()),
            ),
          ),
          atRate((n) => join(database, buyers[n % buyers.length] ?? 0)),
          atRate((n) =>
            listMembers(source, n % 2 === 0 ? places.half : places.root, {
              type: 'COMMUNITY',
              current: 1 + n,
              size: 20,
            }),
          ),
        ]);
        isLoading = false;
        await watch;
        return lags.sort((a, b) => a - b)[Math.floor(lags.length * 0.99)] ?? Number.NaN;
      },
      anchor: async () => GOAL_MS,
      async close() {
        await runner.stop();
        closeMillion();
      },
    };
  },
};

export default entry;
