/** Instances work through PgBouncer in transaction mode, with its example. */
import { execFileSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { startPooler } from '../../../service/test/support/pgbouncer.ts';
import type { DrillReport } from '../../harness/drill.ts';
import type { Cluster } from '../cluster.ts';
import { connectDevice, registerDevice } from '../devices.ts';
import { APPLICATION, DATABASE, openLab } from '../lab.ts';
import { checkBooks, countStatuses, longest, startPostings, startReads } from '../load.ts';

/** More clients than the example has connections to the server. */
const IDLE_CLIENTS = 30;
const LOAD_MS = 5000;
const GIVES_UP_MS = 10_000;
const ANSWER = { atMost: 5, unit: 's' };
/** From this version on it keeps prepared statements. */
const KEEPS_PREPARED = 21;

const keepsPrepared = (): boolean => {
  const version = execFileSync('pgbouncer', ['--version']).toString();
  return Number(/1\.(\d+)/.exec(version)?.[1]) >= KEEPS_PREPARED;
};

/** Clients that have asked once and stay connected. @returns how many were answered */
async function countAnswered(report: DrillReport, url: string): Promise<number> {
  const timeout = { connectionTimeoutMillis: GIVES_UP_MS, query_timeout: GIVES_UP_MS };
  const clients = Array.from(
    { length: IDLE_CLIENTS },
    () => new pg.Client({ connectionString: url, ...timeout }),
  );
  report.closing(() => Promise.allSettled(clients.map((client) => client.end())));
  const answers = await Promise.allSettled(
    clients.map(async (client) => {
      client.on('error', () => undefined);
      await client.connect();
      return client.query('select 1');
    }),
  );
  return answers.filter(({ status }) => status === 'fulfilled').length;
}

export async function examinePooler(report: DrillReport, cluster: Cluster): Promise<void> {
  const direct = cluster.url(DATABASE, APPLICATION);
  const pooler = await startPooler(direct);
  report.closing(() => pooler.stop());
  const lab = await openLab(report, cluster, {
    env: {
      DATABASE_URL: pooler.url,
      DATABASE_DIRECT_URL: direct,
      DATABASE_PREPARED_STATEMENTS: keepsPrepared() ? 'on' : 'off',
    },
  });
  const answered = await countAnswered(report, pooler.url);
  report.equal(`pgbouncer: idle clients beside the instances, answered`, answered, IDLE_CLIENTS);
  const [first = '', second = ''] = lab.addresses;
  const load = startPostings(lab, await lab.operatorToken());
  const reads = startReads(lab.addresses, '/account/info', lab.people[0]?.accessToken ?? '');
  const socket = await connectDevice(second, await registerDevice(lab));
  report.closing(() => socket.terminate());
  await wait(LOAD_MS);
  for (const one of [load, reads]) await one.stop();
  const all = [...load.attempts, ...reads.attempts];
  report.note(`pgbouncer: requests at ${first} and ${second}: ${countStatuses(all)}`);
  const failed = all.filter(({ status }) => status !== 200).length;
  report.equal(`pgbouncer: of ${all.length} requests, failed`, failed, 0);
  report.limit('pgbouncer: longest answer', longest(all), ANSWER);
  await checkBooks(report, lab, { load, cluster });
}
