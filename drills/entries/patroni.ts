/** The machine of a primary fails, or hangs, and Patroni promotes the standby by itself. */
import { setTimeout as wait } from 'node:timers/promises';
import type { LivePerson } from '../../service/test/support/live-person.ts';
import type { Drill, DrillReport } from '../harness/drill.ts';
import { openLab } from '../support/lab.ts';
import { checkBooks, countStatuses, longest, startPostings, startReads } from '../support/load.ts';
import { missingPatroni, startPatroni } from '../support/patroni.ts';

const WITHIN = { atMost: 5, unit: 's' };
const LOAD_MS = 3000;

async function failOver(report: DrillReport, fault: 'SIGKILL' | 'SIGSTOP'): Promise<void> {
  report.note(`${fault} of Patroni and PostgreSQL of the primary`);
  const cluster = await startPatroni(report);
  const [primary, standby] = cluster.members;
  const lab = await openLab(report, cluster);
  const load = startPostings(lab, await lab.operatorToken());
  const [reader] = lab.people as [LivePerson];
  const reads = startReads(lab.addresses, '/account/info', reader.accessToken);
  await wait(LOAD_MS);
  const failedAt = performance.now();
  primary.signal(fault);
  const promotedAt = await cluster.until(() => standby.isPrimary(), 'the standby is promoted');
  const acknowledgedAt = await load.nextAcknowledged(promotedAt);
  await wait(LOAD_MS);
  await load.stop();
  await reads.stop();
  report.note(`postings: ${countStatuses(load.attempts)}`);
  report.note(`guarded reads: ${countStatuses(reads.attempts)}`);
  report.note(`promoted after ${((promotedAt - failedAt) / 1000).toFixed(1)} s`);
  const all = [...load.attempts, ...reads.attempts];
  report.limit('writes again after the promotion', (acknowledgedAt - promotedAt) / 1000, WITHIN);
  report.limit('longest answer', longest(all), WITHIN);
  report.equal('answers 500', all.filter(({ status }) => status === 500).length, 0);
  if (fault === 'SIGSTOP') {
    primary.signal('SIGCONT');
    await cluster.until(async () => !(await primary.isPrimary()), 'the old primary steps down');
    report.check('the old primary steps down when it is back', true);
  }
  await checkBooks(report, lab, { load, cluster: standby });
  await report.close();
}

const drill: Drill = {
  name: 'patroni',
  summary: 'the machine of a primary fails, another one hangs, under load; Patroni promotes',
  guide: 'operations.md#failover',
  isLong: true,
  missing: missingPatroni,
  async run(report) {
    await failOver(report, 'SIGKILL');
    await failOver(report, 'SIGSTOP');
  },
};
export default drill;
