/** A primary that is killed, and one that falls silent: its standby is promoted under load. */
import { setTimeout as wait } from 'node:timers/promises';
import { call } from '../../service/test/demo/http-client.ts';
import type { LivePerson } from '../../service/test/support/live-person.ts';
import { openSilentLine } from '../../service/test/support/silent-line.ts';
import type { Drill, DrillReport } from '../harness/drill.ts';
import { checkAlerts, scrape } from '../support/alerts.ts';
import { openPostgresHome, query } from '../support/cluster.ts';
import { DATABASE, openLab } from '../support/lab.ts';
import { checkBooks, countStatuses, longest, startPostings, startReads } from '../support/load.ts';
import { addStandby, promote } from '../support/replicas.ts';

/** Goals: writes after the promotion, and the longest answer meanwhile. */
const WITHIN_S = 5;
const LOAD_MS = 3000;
/** How long the cluster's monitor takes to decide. */
const DETECTION_MS = 6000;

type Fault = 'killed' | 'frozen';

const nameOfFault = { killed: 'kill -9 of the primary', frozen: 'SIGSTOP of the primary' };

/**
 * Sessions of the service. One that waits for the standby in its commit does not see that its
 * client is gone, and its client was never answered.
 */
const CONNECTED = `select concat_ws(' ', application_name, state, wait_event, query) as line
  from pg_stat_activity
  where datname = '${DATABASE}' and wait_event is distinct from 'SyncRep'`;

/** Signs out while the old primary is gone: with the new one, or not at all. */
async function signOut(address: string, { userId, accessToken }: LivePerson): Promise<void> {
  for (;;) {
    const body = { id: userId };
    const { status } = await call(`${address}/user/logout`, { token: accessToken, body });
    if (status === 204) return;
    await wait(100);
  }
}

async function failOver(report: DrillReport, fault: Fault): Promise<void> {
  report.note(nameOfFault[fault]);
  const home = openPostgresHome();
  report.closing(() => home.remove());
  const primary = await home.create('primary');
  // What leads to the primary: a proxy or an address that moves.
  const line = await openSilentLine({ host: '127.0.0.1', port: primary.port });
  report.closing(() => line.close());
  const lab = await openLab(report, primary, { databasePort: line.port });
  const standby = await addStandby(home, primary);
  const [first = '', second = ''] = lab.addresses;
  const token = await lab.operatorToken();
  const [reader, leaver] = lab.people as [LivePerson, LivePerson];
  const before = await scrape({ address: second, token });
  const load = startPostings(lab, token);
  const reads = startReads(lab.addresses, '/account/info', reader.accessToken);
  await wait(LOAD_MS);

  if (fault === 'killed') await primary.kill();
  else primary.freeze();
  await wait(DETECTION_MS);
  const during = await scrape({ address: second, token });
  const promotedAt = await promote(standby);
  line.restore({ host: '127.0.0.1', port: standby.port });
  const acknowledgedAt = await load.nextAcknowledged(promotedAt);
  await signOut(first, leaver);
  // The other instance reads it from the feed.
  await wait(1000);
  const left = await call(`${second}/account/info`, { token: leaver.accessToken });
  await wait(LOAD_MS);
  await load.stop();
  await reads.stop();

  const atMost = { atMost: WITHIN_S, unit: 's' };
  report.note(`postings: ${countStatuses(load.attempts)}`);
  report.note(`guarded reads: ${countStatuses(reads.attempts)}`);
  report.limit('writes again after the promotion', (acknowledgedAt - promotedAt) / 1000, atMost);
  report.limit('longest answer to a guarded read', longest(reads.attempts), atMost);
  report.limit('longest answer to a posting', longest(load.attempts), atMost);
  report.equal('a session that ended is answered by the other instance', left.status, 401);
  report.equal('answers 500', reads.attempts.filter(({ status }) => status === 500).length, 0);
  await checkAlerts(report, ['EdgeAccountErrors'], [before, during]);
  if (fault === 'frozen') {
    primary.thaw();
    await wait(LOAD_MS);
    const connected = await query<{ line: string }>(primary.url(), CONNECTED);
    const lines = connected.map(({ line }) => line).join('; ');
    report.equal('connections to the old primary when it is back', lines || 'none', 'none');
  }
  await checkBooks(report, lab, { load, cluster: standby });
  await report.close();
}

const drill: Drill = {
  name: 'failover',
  summary: 'a primary is killed, another one frozen, under load; the standby is promoted',
  guide: 'operations.md#failover',
  isLong: true,
  async run(report) {
    await failOver(report, 'killed');
    await failOver(report, 'frozen');
  },
};
export default drill;
