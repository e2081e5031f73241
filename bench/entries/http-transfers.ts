import type { BenchEntry } from '../harness/entry.ts';
import { ROUND_S } from '../harness/sizes.ts';
import { insertUsers } from '../support/lab-database.ts';
import { measureLoad } from '../support/run-load.ts';
import { openServiceLab } from '../support/service-lab.ts';
import { openTpcb } from '../support/tpcb.ts';

const CONNECTIONS = 3;
const BATCH = 1000;
const PEOPLE = 10_000;

const toText = ({ figure }: { figure: number }): string => `${Math.round(figure)} transfers/s`;

const entry: BenchEntry = {
  name: 'http-transfers',
  summary:
    `POST /operator/transfers of ${BATCH} rewards to people in a row from ${CONNECTIONS} ` +
    'connections, one service process, beside pgbench TPC-B (prepared, 16 clients)',
  unit: 'transfers/s',
  operation: 'transfer',
  goal: { ratio: 5, is: 'at least' },
  warmUps: 2,
  async open() {
    const lab = await openServiceLab();
    const [first = 0] = await insertUsers(lab.database, PEOPLE);
    const tpcb = await openTpcb(lab.databaseUrl, lab.processes.postmaster);
    const measure = async (order: 'row' | 'random') => {
      const what = {
        kind: 'transfers',
        people: { first, count: PEOPLE },
        size: BATCH,
        order,
      } as const;
      const plan = {
        port: lab.port,
        token: await lab.operatorToken(),
        connections: CONNECTIONS,
        what,
        until: { seconds: ROUND_S },
      };
      return measureLoad(lab.processes, plan, BATCH);
    };
    return {
      ours: () => measure('row'),
      anchor: tpcb.measure,
      further: async () => ({
        'load of the anchor by': tpcb.program,
        'to people picked at random: batches wait for each other': toText(await measure('random')),
      }),
      close: lab.close,
    };
  },
};

export default entry;
