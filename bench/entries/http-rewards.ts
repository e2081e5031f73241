import type { BenchEntry } from '../harness/entry.ts';
import { ROUND_S } from '../harness/sizes.ts';
import { insertUsers } from '../support/lab-database.ts';
import { measureLoad, runLoad } from '../support/run-load.ts';
import { openServiceLab } from '../support/service-lab.ts';
import { openTpcb } from '../support/tpcb.ts';

const CONNECTIONS = 64;
const PEOPLE = 10_000;

const entry: BenchEntry = {
  name: 'http-rewards',
  summary:
    `single POST /operator/rewards from ${CONNECTIONS} connections to ${PEOPLE} people, ` +
    'one service process, beside pgbench TPC-B (prepared, 16 clients)',
  unit: 'rewards/s',
  operation: 'reward',
  goal: { ratio: 2, is: 'at least' },
  warmUps: 2,
  async open() {
    const lab = await openServiceLab();
    const [first = 0] = await insertUsers(lab.database, PEOPLE);
    const tpcb = await openTpcb(lab.databaseUrl, lab.processes.postmaster);
    const plan = async (connections: number) => ({
      port: lab.port,
      token: await lab.operatorToken(),
      connections,
      what: { kind: 'rewards', people: { first, count: PEOPLE } } as const,
      until: { seconds: ROUND_S },
    });
    return {
      ours: async () => measureLoad(lab.processes, await plan(CONNECTIONS)),
      anchor: tpcb.measure,
      async further() {
        const many = await runLoad(await plan(CONNECTIONS));
        const one = await runLoad(await plan(1));
        return {
          'load of the anchor by': tpcb.program,
          'time of an answer': `p50 ${many.p50_ms.toFixed(1)} ms, p99 ${many.p99_ms.toFixed(1)} ms`,
          'from one connection':
            `${Math.round(one.answers / one.seconds)} rewards/s, p50 ${one.p50_ms.toFixed(2)} ` +
            `ms, p99 ${one.p99_ms.toFixed(2)} ms`,
        };
      },
      close: lab.close,
    };
  },
};

export default entry;
