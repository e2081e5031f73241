import { type BenchEntry, round } from '../harness/entry.ts';
import { withProcessorTime } from '../harness/processor-time.ts';
import { sized } from '../harness/sizes.ts';
import { openImportLab } from '../support/import-lab.ts';
import { DEPTH } from '../support/import-source.ts';

/** Another size: `BENCH_USERS=100000 npm run bench import`. */
const USERS = Number(process.env.BENCH_USERS ?? sized(1_000_000, 50_000));
const MEMORY_MAX_MB = 500;
/** One user of so many has changed when `--since` brings the changes. */
const CHANGED_OF = 100;

const entry: BenchEntry = {
  name: 'import',
  summary:
    `edge-account import of ${USERS.toLocaleString('en')} people in a tree of depth ${DEPTH}, ` +
    'two wallets and one device each, certificate included, beside a bare COPY of the rows it ' +
    'wrote',
  unit: 's',
  operation: 'person',
  goal: { ratio: 6, is: 'at most' },
  rounds: 1,
  warmUps: 0,
  async open() {
    const lab = await openImportLab(USERS);
    const processes = { service: process.pid, postmaster: lab.postmaster };
    let memory_mb = 0;
    return {
      ours: () =>
        withProcessorTime(processes, async () => {
          const imported = await lab.importSource();
          memory_mb = Math.max(memory_mb, imported.memory_mb);
          return { figure: imported.seconds, operations: USERS };
        }),
      anchor: () =>
        withProcessorTime(processes, async () => ({
          figure: await lab.copyRows(),
          operations: USERS,
        })),
      further: async () => {
        const { seconds, memory_mb: changes_mb } = await lab.importChanges(CHANGED_OF);
        const changes = `${round(seconds)} s, ${round(changes_mb)} MB`;
        return {
          'memory at its peak': `${round(memory_mb)} MB (at most ${MEMORY_MAX_MB})`,
          [`--since, one of ${CHANGED_OF} people changed`]: changes,
        };
      },
      close: () => lab.close(),
    };
  },
};

export default entry;
