/** The disk of the database fills up to its last byte, and is freed again. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Drill, DrillReport } from '../harness/drill.ts';
import { checkAlerts, scrape } from '../support/alerts.ts';
import { openPostgresHome } from '../support/cluster.ts';
import { openLab } from '../support/lab.ts';
import { checkBooks, countStatuses, startPostings, startReads } from '../support/load.ts';

const DISK = '400m';
const LOAD_MS = 3000;
const FULL_MS = 20_000;
const WITHIN = { atMost: 5, unit: 's' };
const PIECES = [1 << 20, 1 << 12];

/** A small disk of its own. */
function mountDisk(report: DrillReport): string {
  const folder = mkdtempSync(join(tmpdir(), 'edge-account-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=755`, 'edge-drill', folder]);
  report.closing(() => {
    execFileSync('umount', [folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Writes until nothing more fits. */
function fill(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (const size of PIECES)
      try {
        for (;;) writeSync(file, Buffer.alloc(size));
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      }
  } finally {
    closeSync(file);
  }
}

const drill: Drill = {
  name: 'full-disk',
  summary: 'the disk of the database is full for 20 s under load; what is stored can be read',
  guide: 'runbooks.md#a-full-disk',
  isLong: true,
  missing: () =>
    process.platform === 'linux' && process.getuid?.() === 0
      ? undefined
      : 'it mounts a small disk, which needs Linux and root',
  async run(report) {
    const disk = mountDisk(report);
    const home = openPostgresHome();
    report.closing(() => home.remove());
    const settings = { max_wal_size: '64MB', min_wal_size: '32MB', shared_buffers: '32MB' };
    const cluster = await home.create('primary', settings, disk);
    const lab = await openLab(report, cluster);
    const [address = ''] = lab.addresses;
    const token = await lab.operatorToken();
    const before = await scrape({ address, token });
    const load = startPostings(lab, token);
    const reads = startReads(lab.addresses, '/account/info', lab.people[0]?.accessToken ?? '');
    await wait(LOAD_MS);

    const filler = join(disk, 'filler');
    fill(filler);
    const [posted, read] = [load.attempts.length, reads.attempts.length];
    await wait(FULL_MS);
    const ready = await fetch(`${address}/readyz`);
    const during = await scrape({ address, token });
    const refused = load.attempts.slice(posted);
    const answered = reads.attempts.slice(read);
    report.note(`postings while it is full: ${countStatuses(refused)}`);
    report.note(`guarded reads while it is full: ${countStatuses(answered)}`);
    report.note(`/readyz while it is full: ${ready.status} ${await ready.text()}`);
    report.note(`PostgreSQL ${cluster.isRunning() ? 'runs' : 'has ended'}`);

    rmSync(filler);
    const freedAt = performance.now();
    if (!cluster.isRunning()) await cluster.start(settings);
    const acknowledgedAt = await load.nextAcknowledged(freedAt);
    await wait(LOAD_MS);
    await load.stop();
    await reads.stop();
    report.limit('writes again after space is free', (acknowledgedAt - freedAt) / 1000, WITHIN);
    const all = [...load.attempts, ...reads.attempts];
    report.equal('answers 500', all.filter(({ status }) => status === 500).length, 0);
    await checkAlerts(report, ['EdgeAccountErrors'], [before, during]);
    await checkBooks(report, lab, { load, cluster });
  },
};
export default drill;
