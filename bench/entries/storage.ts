import { setTimeout as wait } from 'node:timers/promises';
import type { BenchEntry } from '../harness/entry.ts';
import { withProcessorTime } from '../harness/processor-time.ts';
import { sized } from '../harness/sizes.ts';
import { growthOf, readDiskUse } from '../support/disk-use.ts';
import { insertUsers } from '../support/lab-database.ts';
import { runLoad } from '../support/run-load.ts';
import { openServiceLab } from '../support/service-lab.ts';

const PEOPLE = sized(10_000, 1000);
const REWARDS = sized(50_000, 5000);
const CONNECTIONS = 64;
const ALLOWED = 1000;
/** Background jobs finish what the last requests left to them. */
const REST_MS = 3000;

const entry: BenchEntry = {
  name: 'storage',
  summary:
    `growth of all tables and indexes for each of ${REWARDS} rewards over HTTP from ` +
    `${CONNECTIONS} connections to ${PEOPLE} people without accounts yet, after VACUUM, ` +
    `beside ${ALLOWED} bytes`,
  unit: 'bytes/reward',
  operation: 'reward',
  goal: { ratio: 1, is: 'at most' },
  rounds: 1,
  warmUps: 0,
  async open() {
    const lab = await openServiceLab();
    const [first = 0] = await insertUsers(lab.database, PEOPLE);
    let shown: Record<string, string> = {};
    return {
      async ours() {
        const token = await lab.operatorToken();
        const before = await readDiskUse(lab.database);
        const what = { kind: 'rewards', people: { first, count: PEOPLE } } as const;
        const { processor } = await withProcessorTime(lab.processes, async () => {
          await runLoad({
            port: lab.port,
            token,
            connections: CONNECTIONS,
            what,
            until: { requests: REWARDS },
          });
          return { figure: REWARDS, operations: REWARDS };
        });
        await wait(REST_MS);
        const after = await readDiskUse(lab.database);
        const growth = growthOf(before, after);
        const show = (bytes: number): string => (bytes / REWARDS).toFixed(0);
        shown = {
          'bytes of each table with its indexes': growth
            .map(([name, bytes]) => `${name} ${show(bytes)}`)
            .join(', '),
          // Since the checkpoint of the first reading: the first change of each page writes the
          // whole page.
          'write-ahead log': `${show(after.wal - before.wal)} bytes/reward`,
        };
        const bytes = growth.reduce((sum, [, more]) => sum + more, 0);
        return { figure: bytes / REWARDS, processor };
      },
      anchor: async () => ALLOWED,
      further: async () => shown,
      close: lab.close,
    };
  },
};

export default entry;
