/** Instances are restarted one after another behind HAProxy and nginx, under load. */
import { execFileSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '../../service/test/support/postgres-server.ts';
import type { Drill, DrillReport } from '../harness/drill.ts';
import { type Cluster, openPostgresHome } from '../support/cluster.ts';
import { type Lab, openLab } from '../support/lab.ts';
import {
  checkBooks,
  countStatuses,
  longestPause,
  startPostings,
  startReads,
} from '../support/load.ts';
import { type LoadBalancer, startLoadBalancer } from '../support/load-balancers.ts';

const PROXIES = ['haproxy', 'nginx'] as const;
/** Of a client that repeats what is safe to repeat, or has an idempotency key. */
const TRIES = 3;
const LOAD_MS = 2000;

/** Restarts both instances in turn, each after the proxy was asked to send it nothing, or not. */
async function restartAll(
  lab: Lab,
  proxy: LoadBalancer,
  isDrained: boolean,
): Promise<(number | null)[]> {
  const codes: (number | null)[] = [];
  for (const [index, instance] of lab.instances.entries()) {
    if (isDrained) await proxy.drain(index);
    codes.push(await instance.stop());
    await instance.start();
    if (isDrained) await proxy.putBack(index);
    await proxy.seen(index);
  }
  return codes;
}

/** Restarts both instances and says what requests came to, behind one of the proxies. */
async function rollBehind(
  report: DrillReport,
  cluster: Cluster,
  name: (typeof PROXIES)[number],
): Promise<void> {
  const listen = await findFreePort();
  const lab = await openLab(report, cluster, { publicPort: listen });
  const ports = lab.addresses.map((address) => Number(new URL(address).port));
  const proxy = await startLoadBalancer(report, name, { listen, instances: ports });
  const address = `http://127.0.0.1:${listen}`;
  const acknowledged = new Set<string>();

  async function roll(how: string, isDrained: boolean): Promise<void> {
    const load = startPostings(lab, await lab.operatorToken(), { addresses: [address] });
    const token = lab.people[0]?.accessToken ?? '';
    const reads = ['/account/info', '/me/devices'].map((path) =>
      startReads([address], path, token, TRIES),
    );
    await wait(LOAD_MS);
    const codes = await restartAll(lab, proxy, isDrained);
    await wait(LOAD_MS);
    for (const one of [load, ...reads]) await one.stop();
    const prefix = `${name}, ${how}`;
    const read = reads.flatMap(({ attempts }) => attempts);
    report.note(
      `${prefix}: postings ${countStatuses(load.attempts)}; reads ${countStatuses(read)}`,
    );
    const failed = read.filter(({ status }) => status !== 200).length;
    report.equal(`${prefix}: reads that failed, after ${TRIES} tries`, failed, 0);
    const isSoon = load.mostTries() <= TRIES;
    report.check(`${prefix}: no posting needed more than ${TRIES} tries`, isSoon);
    report.equal(`${prefix}: exit codes of the instances`, codes.join(' '), '0 0');
    const pause = longestPause(load.attempts);
    report.limit(`${prefix}: longest pause of postings`, pause, { atMost: 1, unit: 's' });
    for (const key of load.acknowledged) acknowledged.add(key);
  }
  await roll('drained first', true);
  await roll('not drained', false);
  const person = await lab.signUp(cluster);
  report.check(`${name}: a user registers and signs in afterwards`, person.userId > 0);
  await checkBooks(report, lab, { load: { acknowledged }, cluster });
  await Promise.all(lab.instances.map((instance) => instance.stop()));
}

function findMissing(): string | undefined {
  try {
    for (const name of PROXIES) execFileSync('which', [name]);
    return undefined;
  } catch {
    return 'HAProxy and nginx are not both installed';
  }
}

const drill: Drill = {
  name: 'rolling',
  summary: 'instances are restarted in turn behind HAProxy and nginx, drained first or not',
  guide: 'operations.md#many-instances',
  missing: findMissing,
  async run(report) {
    const home = openPostgresHome();
    report.closing(() => home.remove());
    for (const name of PROXIES) await rollBehind(report, await home.create(name), name);
  },
};
export default drill;
