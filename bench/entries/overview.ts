import { startPostgres } from '../../service/test/support/postgres-server.ts';
import { type BenchEntry, round } from '../harness/entry.ts';
import { comparePeople, measureRequests } from '../harness/http-load.ts';
import { startChildServer } from '../support/child-server.ts';
import type { OverviewServer } from '../support/overview-server.ts';

/** Fewer for a first look: `BENCH_BILLS=50000 npm run bench overview`. */
const BILLS = process.env.BENCH_BILLS ?? '1000000';
/** How much slower a million bills may be than a hundred. */
const DEPTH_GOAL = 1.2;

const entry: BenchEntry = {
  name: 'overview',
  summary: `GET /dashboard/overview of a person with ${BILLS} bills beside a bare Fastify route
    with one primary-key SELECT on the same pool`,
  unit: 'requests/s',
  goal: { ratio: 0.5, is: 'at least' },
  async open() {
    const postgres = await startPostgres({});
    const server = await startChildServer<OverviewServer>(
      new URL('../support/overview-server.ts', import.meta.url),
      [postgres.url, BILLS],
    );
    const { oursUrl, bareUrl, manyToken, fewToken } = server.ready;
    const headers = { authorization: `Bearer ${manyToken}` };
    return {
      ours: () => measureRequests({ url: oursUrl, headers }),
      anchor: () => measureRequests({ url: bareUrl }),
      async further() {
        const ratio = await comparePeople(oursUrl, manyToken, fewToken);
        return {
          [`time of ${BILLS} bills beside 100`]:
            `${round(ratio)} × (goal ≤ ${DEPTH_GOAL}): ` +
            `${ratio <= DEPTH_GOAL ? 'met' : 'missed'}`,
        };
      },
      async close() {
        await server.stop();
        await postgres.stop();
      },
    };
  },
};

export default entry;
