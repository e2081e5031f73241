import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { archivePeriods, listHeads, signDailyHead } from '../../service/src/ledger/index.ts';
import { createMasterKey } from '../../service/src/master-key.ts';
import { createProofKey, createRewardArchiveJobs } from '../../service/src/rewards/index.ts';
import type { BenchEntry } from '../harness/entry.ts';
import { sized } from '../harness/sizes.ts';
import { growthOf, readDiskUse } from '../support/disk-use.ts';
import { LIVE_RULES, reportTraffic } from '../support/live-hour.ts';
import { openRewardLab, type RewardLab } from '../support/reward-lab.ts';

const DEVICES = sized(2000, 500);
const HOURS = 24;
const HOUR_MS = 3_600_000;
/** Hot, that is in the database. */
const ALLOWED = 6000;
const MASTER_KEY = createMasterKey(Buffer.alloc(32, 7));

/** All devices are online all day and carry traffic; the day is paid, and its head is signed. */
async function liveDay(lab: RewardLab, day: Date): Promise<void> {
  for (let hour = 0; hour < HOURS; hour++) {
    await lab.prepareHour();
    await reportTraffic(lab, DEVICES, new Date(day.getTime() + hour * HOUR_MS));
    await lab.settle();
  }
  await signDailyHead(lab.database);
}

/** Bytes of the files that some work writes into a folder. */
async function measureFiles(write: (directory: string) => Promise<void>): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'edge-account-disk-day-'));
  await write(directory);
  const bytes = readdirSync(directory).map((name) => statSync(join(directory, name)).size);
  rmSync(directory, { recursive: true });
  return bytes.reduce((sum, size) => sum + size, 0);
}

/** Bytes of the file of the last signed head. */
function archiveLedger({ database }: RewardLab): Promise<number> {
  return measureFiles(async (directory) => {
    const [last] = await listHeads(database, { limit: 1 });
    if (!last) throw new Error('no head was signed');
    for await (const _ of archivePeriods(database, directory, { from: last.day }));
  });
}

/** Bytes of the files of all settlements. */
function archiveRewards({ database, clock }: RewardLab): Promise<number> {
  return measureFiles(async (directory) => {
    const [archive] = createRewardArchiveJobs(database, clock, createProofKey(MASTER_KEY), {
      REWARD_ARCHIVE_TO: pathToFileURL(directory).href,
      TRAFFIC_REPORT_WINDOW: 604_800,
    });
    await archive?.run(new AbortController().signal);
  });
}

/** What `REWARD_KEPT_DAYS` removes from the database. */
const ARCHIVED: ReadonlySet<string> = new Set([
  'reward_line',
  'traffic_report',
  'traffic_hour',
  'device_hour',
]);

const entry: BenchEntry = {
  name: 'disk-day',
  summary:
    `growth of all tables and indexes for each of ${DEVICES} devices, one for each person, by ` +
    'the second day that they are online and carry traffic, paid by the day, after VACUUM, ' +
    `beside ${ALLOWED} bytes`,
  unit: 'bytes/device and day',
  operation: 'device and day',
  goal: { ratio: 1, is: 'at most' },
  rounds: 1,
  warmUps: 0,
  async open() {
    const lab = await openRewardLab(DEVICES, { period: 'day', rules: LIVE_RULES });
    let shown: Record<string, string> = {};
    return {
      async ours() {
        const first = new Date('2026-05-01T00:00:00Z');
        await liveDay(lab, first);
        const before = await readDiskUse(lab.database);
        await liveDay(lab, new Date(first.getTime() + HOURS * HOUR_MS));
        const after = await readDiskUse(lab.database);
        const growth = growthOf(before, after);
        const show = (bytes: number): string => (bytes / DEVICES).toFixed(0);
        shown = {
          'bytes of each table with its indexes': growth
            .map(([name, bytes]) => `${name} ${show(bytes)}`)
            .join(', '),
          'stays in the database after REWARD_KEPT_DAYS': show(
            growth.reduce((sum, [name, bytes]) => sum + (ARCHIVED.has(name) ? 0 : bytes), 0),
          ),
          'archive of the ledger': show(await archiveLedger(lab)),
          // Of both days.
          'archive of rewards (goal 1,000 with the ledger)': show((await archiveRewards(lab)) / 2),
          'write-ahead log': show(after.wal - before.wal),
        };
        return growth.reduce((sum, [, more]) => sum + more, 0) / DEVICES;
      },
      anchor: async () => ALLOWED,
      further: async () => shown,
      close: lab.close,
    };
  },
};

export default entry;
