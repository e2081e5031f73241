/** The version before the newest migration serves while it is applied, and beside this version. */
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort } from '../../service/test/support/postgres-server.ts';
import { startService } from '../../service/test/support/service-process.ts';
import type { Drill, DrillReport } from '../harness/drill.ts';
import { type Cluster, openPostgresHome } from '../support/cluster.ts';
import { findEarlierVersion, unpackVersion } from '../support/earlier-version.ts';
import { APPLICATION, DATABASE, OWNER, openLab } from '../support/lab.ts';
import {
  checkBooks,
  countStatuses,
  longestPause,
  startPostings,
  startReads,
} from '../support/load.ts';

const LOAD_MS = 3000;
/** As a backup reads: it holds locks of every table for long. */
const READER_MS = 10_000;

const commit = findEarlierVersion();

/** A transaction that has read large tables and stays open. */
async function openReader(cluster: Cluster): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: cluster.url(DATABASE, OWNER) });
  await client.connect();
  await client.query('begin');
  await client.query('select (select count(*) from transfer), (select count(*) from app_user)');
  return () => client.end();
}

async function run(report: DrillReport): Promise<void> {
  const home = openPostgresHome();
  report.closing(() => home.remove());
  const cluster = await home.create('primary');
  const earlier = unpackVersion(commit ?? '');
  report.closing(() => earlier.remove());
  const lab = await openLab(report, cluster, { instances: 1, main: earlier.main });
  report.note(`the earlier version is ${commit?.slice(0, 8)}`);
  const [old = ''] = lab.addresses;
  const port = String(await findFreePort());
  const addresses = [old, `http://127.0.0.1:${port}`];
  // The new instance is not there yet: the load begins at the old one.
  const load = startPostings(lab, await lab.operatorToken(), { addresses: [old] });
  const token = lab.people[0]?.accessToken ?? '';
  const oldReads = startReads([old], '/account/info', token);
  await wait(LOAD_MS);

  const endReader = await openReader(cluster);
  const migrated = lab.command(['migrate', '--application-role', APPLICATION]);
  await wait(READER_MS);
  await endReader();
  await migrated;
  report.note('migrated, beside a transaction that read for 10 s');
  const { DATABASE_OWNER_URL: _, ...env } = lab.env;
  const next = await startService({ ...env, PORT: port });
  report.closing(() => next.dispose());
  const newLoad = startPostings(lab, await lab.operatorToken(addresses[1]), {
    addresses: [addresses[1] ?? ''],
  });
  const newReads = startReads([addresses[1] ?? ''], '/account/info', token);
  await wait(LOAD_MS);
  const person = await lab.signUp(cluster);
  report.check('a user registers and signs in at the earlier version', person.userId > 0);
  for (const one of [load, oldReads, newLoad, newReads]) await one.stop();

  const all = [load, oldReads, newLoad, newReads].flatMap(({ attempts }) => attempts);
  report.note(`both versions: ${countStatuses(all)}`);
  report.equal('requests that failed', all.filter(({ status }) => status !== 200).length, 0);
  report.limit('the longest pause of postings', longestPause(load.attempts), {
    ...{ atMost: 1, unit: 's' },
  });
  const acknowledged = new Set([...load.acknowledged, ...newLoad.acknowledged]);
  await checkBooks(report, lab, { load: { acknowledged }, cluster });
}

const drill: Drill = {
  name: 'upgrade',
  summary: 'the version before the newest migration serves during it, and beside this version',
  guide: 'operations.md#upgrades',
  missing: () => (commit === undefined ? 'the history of the repository is not here' : undefined),
  run,
};
export default drill;
