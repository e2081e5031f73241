import type { BenchEntry } from '../harness/entry.ts';
import { openRewardLab } from '../support/reward-lab.ts';

/** A smaller network for a first look: `BENCH_USERS=50000 npm run bench settlement`. */
const USERS = Number(process.env.BENCH_USERS ?? 1_000_000);

const entry: BenchEntry = {
  name: 'settlement',
  summary:
    `settling one hour for ${USERS} people, ledger, bills, roll-ups and proof included, ` +
    'beside bare INSERT … SELECTs of the rows it wrote',
  unit: 's',
  goal: { ratio: 2.5, is: 'at most' },
  rounds: 3,
  async open() {
    const lab = await openRewardLab(USERS);
    let hour = new Date(0);
    let lines = 0;
    return {
      async ours() {
        hour = await lab.prepareHour();
        const taken_s = await lab.settle();
        const { rows } = await lab.database.query<{ lines: number; state: string }>(
          'select lines, state from reward_batch where hour = $1',
          [hour],
        );
        if (rows[0]?.state !== 'settled' || rows[0].lines < USERS)
          throw new Error('the hour was not settled');
        lines = rows[0].lines;
        return taken_s;
      },
      anchor: () => lab.copy(hour),
      further: async () => ({
        'lines of the last hour': String(lines),
        'memory of the process, peak (goal 600 MB)': `${Math.round(
          process.resourceUsage().maxRSS / 1000,
        )} MB`,
      }),
      close: () => lab.close(),
    };
  },
};

export default entry;
