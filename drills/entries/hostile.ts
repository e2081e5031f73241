/** Connections that pipeline large answers and never read them. */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Drill, DrillReport } from '../harness/drill.ts';
import { openPostgresHome } from '../support/cluster.ts';
import { type Lab, openLab } from '../support/lab.ts';
import {
  checkBooks,
  longestPause,
  percentile,
  startPostings,
  startReads,
  until,
} from '../support/load.ts';

const SOCKETS = 2000;
/** Loopback addresses that they come from: one address is limited for itself. */
const ADDRESSES = 20;
/** The most that a connection may send before it is closed. */
const PIPELINED = 17;
const REQUEST = 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n';
const IDLE_MS = 3000;
const LOOK_EVERY_MS = 500;
const GIVES_UP_MS = 120_000;

/** Resident memory of a process, in MiB. */
const readMemory_MiB = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** 127.0.1.1 and following, as the kernel writes them, mapped to IPv6 or not. */
const IS_HOSTILE = /[0-9A-F]{2}01007F:[0-9A-F]{4}$/;
const LISTENING = '0A';

/** Connections of the attack that the kernel of the service still has, with what they hold. */
function countConnections(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = ['tcp', 'tcp6'].flatMap((name) =>
    readFileSync(`/proc/net/${name}`, 'utf8').trim().split('\n').slice(1),
  );
  return lines.filter((line) => {
    const [, address = '', remote = '', state] = line.trim().split(/\s+/);
    return address.endsWith(local) && IS_HOSTILE.test(remote) && state !== LISTENING;
  }).length;
}

/** @returns a connection that has sent its requests and reads nothing */
async function openSocket(port: number, index: number): Promise<Socket> {
  const localAddress = `127.0.1.${(index % ADDRESSES) + 1}`;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined).pause();
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
  socket.write(REQUEST.repeat(PIPELINED));
  return socket;
}

/** Opens them all. @returns how long the last one stayed open, and the most memory meanwhile */
async function attack(
  report: DrillReport,
  lab: Lab,
): Promise<{ readonly open_s: number; readonly memory_MiB: number }> {
  const [instance] = lab.instances;
  const [address = ''] = lab.addresses;
  const port = Number(new URL(address).port);
  const pid = instance?.pid ?? 0;
  const sockets: Socket[] = [];
  report.closing(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (let i = 0; i < SOCKETS; i++) sockets.push(await openSocket(port, i));
  const begun = performance.now();
  const count = countConnections(port);
  report.note(`${count} connections from ${ADDRESSES} addresses are open`);
  let memory_MiB = readMemory_MiB(pid);
  const ended = await until(async () => {
    memory_MiB = Math.max(memory_MiB, readMemory_MiB(pid));
    const isOver = performance.now() - begun > GIVES_UP_MS;
    return isOver || countConnections(port) === 0;
  }, LOOK_EVERY_MS);
  return { open_s: (ended - begun) / 1000, memory_MiB };
}

const drill: Drill = {
  name: 'hostile',
  summary: `${SOCKETS} connections pipeline large answers and never read them`,
  guide: 'operations.md#proxies',
  isLong: true,
  missing: () => (process.platform === 'linux' ? undefined : 'it reads /proc, which Linux has'),
  async run(report) {
    const home = openPostgresHome();
    report.closing(() => home.remove());
    const cluster = await home.create('primary');
    const lab = await openLab(report, cluster, { instances: 1 });
    const load = startPostings(lab, await lab.operatorToken(), { workers: 1 });
    await wait(IDLE_MS);
    const idle_MiB = readMemory_MiB(lab.instances[0]?.pid ?? 0);
    report.note(`memory before: ${Math.round(idle_MiB)} MiB`);
    const health = startReads(lab.addresses, '/healthz', '');
    const { open_s, memory_MiB } = await attack(report, lab);
    await health.stop();
    await load.stop();
    report.limit('all are closed after', open_s, { atMost: 60, unit: 's' });
    report.limit('the most memory, of that before', memory_MiB / idle_MiB, {
      ...{ atMost: 2, unit: '×' },
    });
    const times = health.attempts.map(({ took_ms }) => took_ms);
    report.limit('/healthz, the 99th percentile', percentile(times, 0.99), {
      ...{ atMost: 100, unit: 'ms' },
    });
    report.note(`the longest pause of postings: ${longestPause(load.attempts).toFixed(1)} s`);
    await checkBooks(report, lab, { load, cluster });
  },
};
export default drill;
