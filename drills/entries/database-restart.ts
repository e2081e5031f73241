/** A database server that dies and comes back on the same files, under load. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Drill } from '../harness/drill.ts';
import { openPostgresHome } from '../support/cluster.ts';
import { openLab } from '../support/lab.ts';
import {
  checkBooks,
  countStatuses,
  longest,
  longestPause,
  startPostings,
  startReads,
} from '../support/load.ts';

const WITHIN = { atMost: 5, unit: 's' };
const LOAD_MS = 3000;
const GONE_MS = 2000;

const drill: Drill = {
  name: 'database-restart',
  summary: 'PostgreSQL is killed under load, and starts again on the same files',
  guide: 'runbooks.md#edgeaccounterrors',
  async run(report) {
    const home = openPostgresHome();
    report.closing(() => home.remove());
    const cluster = await home.create('primary');
    const lab = await openLab(report, cluster);
    const token = await lab.operatorToken();
    const load = startPostings(lab, token);
    const reads = startReads(lab.addresses, '/me', lab.people[0]?.accessToken ?? '');
    await wait(LOAD_MS);
    await cluster.kill();
    await wait(GONE_MS);
    await cluster.start();
    const startedAt = performance.now();
    const acknowledgedAt = await load.nextAcknowledged(startedAt);
    await wait(LOAD_MS);
    await load.stop();
    await reads.stop();
    report.note(`postings: ${countStatuses(load.attempts)}`);
    report.note(`guarded reads: ${countStatuses(reads.attempts)}`);
    report.note(`the longest pause of postings: ${longestPause(load.attempts).toFixed(1)} s`);
    const all = [...load.attempts, ...reads.attempts];
    report.limit('writes again after the start', (acknowledgedAt - startedAt) / 1000, WITHIN);
    report.limit('longest answer', longest(all), WITHIN);
    report.equal('answers 500', all.filter(({ status }) => status === 500).length, 0);
    await checkBooks(report, lab, { load, cluster });
  },
};
export default drill;
