/** The version before the newest migration serves while it is applied, and beside this version. */
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort } from '../../service/test/support/postgres-server.ts';
import { startService } from '../../service/test/support/service-process.ts';
import type { Drill, DrillReport } from '../harness/drill.ts';
import { type Cluster, openPostgresHome } from '../support/cluster.ts';
import { connectDevice, isOnline, registerDevice } from '../support/devices.ts';
import { findEarlierVersion, unpackVersion } from '../support/earlier-version.ts';
import { fillUsers } from '../support/fill-users.ts';
import { APPLICATION, DATABASE, type Lab, OWNER, openLab } from '../support/lab.ts';
import {
  checkBooks,
  countStatuses,
  type Load,
  longestPause,
  type SignIns,
  startPostings,
  startReads,
  startSignIns,
} from '../support/load.ts';

const LOAD_MS = 3000;
/** As a backup reads: it holds locks of every table for long. */
const READER_MS = 60_000;
/** Accounts that are there before: `DRILL_USERS=1000000 npm run drill upgrade`. */
const USERS = Number(process.env.DRILL_USERS ?? 0);

const commit = findEarlierVersion();

const LOCK_ALL = `do $$ declare name regclass; begin
  for name in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
  loop execute format('lock table %s in access share mode', name); end loop; end $$`;

/** A transaction that holds the locks of a reader of every table. */
async function openReader(cluster: Cluster): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: cluster.url(DATABASE, OWNER) });
  await client.connect();
  await client.query('begin');
  await client.query(LOCK_ALL);
  return () => client.end();
}

interface Traffic {
  readonly postings: Load;
  readonly reads: Pick<Load, 'attempts' | 'stop'>;
  readonly signIns: SignIns;
}

/** What users, operators and business servers do at one instance. */
async function startTraffic(lab: Lab, cluster: Cluster, address: string): Promise<Traffic> {
  const token = lab.people[0]?.accessToken ?? '';
  return {
    postings: startPostings(lab, await lab.operatorToken(address), { addresses: [address] }),
    reads: startReads([address], '/account/info', token),
    signIns: startSignIns(lab, cluster, [address]),
  };
}

async function stopTraffic(report: DrillReport, all: readonly Traffic[]): Promise<void> {
  for (const one of all)
    await Promise.all([one.postings, one.reads, one.signIns].map((part) => part.stop()));
  const attempts = all.flatMap((one) => [...one.postings.attempts, ...one.reads.attempts]);
  report.note(`both versions: ${countStatuses(attempts)}`);
  report.equal('requests that failed', attempts.filter(({ status }) => status !== 200).length, 0);
  for (const [index, { signIns, postings }] of all.entries()) {
    const version = ['the earlier version', 'this version'][index];
    report.note(`${version}: ${signIns.count()} users registered and signed in`);
    report.equal(`${version}: failed sign-ins`, signIns.failures.join('; ') || 'none', 'none');
    report.limit(`${version}: longest pause of postings`, longestPause(postings.attempts), {
      ...{ atMost: 1, unit: 's' },
    });
  }
}

/** Applies the newest migration while a reader holds the locks of all tables. */
async function migrateBesideReader(report: DrillReport, lab: Lab, cluster: Cluster): Promise<void> {
  const endReader = await openReader(cluster);
  const begun = performance.now();
  const migrated = lab
    .command(['migrate', '--application-role', APPLICATION])
    .then(() => (performance.now() - begun) / 1000);
  await wait(READER_MS);
  await endReader();
  report.note(
    `a transaction held locks of all tables for ${READER_MS / 1000} s; ` +
      `migrated after ${(await migrated).toFixed(1)} s`,
  );
}

async function run(report: DrillReport): Promise<void> {
  const home = openPostgresHome();
  report.closing(() => home.remove());
  const cluster = await home.create('primary');
  const earlier = unpackVersion(commit ?? '');
  report.closing(() => earlier.remove());
  const { main } = earlier;
  const lab = await openLab(report, cluster, {
    ...{ instances: 1, main },
    ...(USERS > 0 && { fill: (env) => fillUsers(report, env, { users: USERS, main }) }),
  });
  report.note(`the earlier version is ${commit?.slice(0, 8)}`);
  const [old = ''] = lab.addresses;
  const deviceToken = await registerDevice(lab);
  const device = await connectDevice(old, deviceToken);
  let closed = 0;
  device.once('close', () => closed++);
  const traffic = [await startTraffic(lab, cluster, old)];
  await wait(LOAD_MS);
  await migrateBesideReader(report, lab, cluster);

  const { DATABASE_OWNER_URL: _, ...env } = lab.env;
  const port = String(await findFreePort());
  const next = await startService({ ...env, PORT: port });
  report.closing(() => next.dispose());
  const address = `http://127.0.0.1:${port}`;
  traffic.push(await startTraffic(lab, cluster, address));
  await wait(LOAD_MS);
  report.check('the device is online at both versions', await isOnline(lab, address));
  report.equal('its connection was closed', closed, 0);
  const again = await connectDevice(address, deviceToken);
  await wait(LOAD_MS);
  report.check('it connects to this version', await isOnline(lab, old));
  device.terminate();
  again.terminate();
  await stopTraffic(report, traffic);
  const acknowledged = new Set(traffic.flatMap(({ postings }) => [...postings.acknowledged]));
  await checkBooks(report, lab, { load: { acknowledged }, cluster });
}

const drill: Drill = {
  name: 'upgrade',
  summary: 'the version before the newest migration serves during it, and beside this version',
  guide: 'operations.md#upgrade',
  isLong: true,
  missing: () => (commit === undefined ? 'the history of the repository is not here' : undefined),
  run,
};
export default drill;
