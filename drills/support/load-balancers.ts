/** HAProxy and nginx with the examples of deploy/, and ways to take an instance out. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { type ProxyPlace, startProxy } from '../../service/test/support/proxies.ts';
import type { DrillReport } from '../harness/drill.ts';
import { until } from './load.ts';

export interface LoadBalancer {
  /** New requests go to the other instance from now on. */
  drain(index: number): Promise<void>;
  putBack(index: number): Promise<void>;
  /** Waits until an instance that has started again gets requests. */
  seen(index: number): Promise<void>;
}

const SERVERS = ['a', 'b'];
/** `srv_op_state` of `show servers state` in HAProxy's management guide. */
const RUNNING = '2';
/** nginx tries a failed instance again after up to two seconds, and does not say so. */
const NGINX_SEEN_MS = 3000;

/** Through the runtime socket of HAProxy. */
async function startHaproxy(report: DrillReport, place: ProxyPlace): Promise<LoadBalancer> {
  const socketPath = join(place.folder, 'admin.sock');
  const admin = join(place.folder, 'admin.cfg');
  writeFileSync(admin, `global\n  stats socket ${socketPath} level admin\n`);
  const proxy = await startProxy('haproxy', place, ['-f', admin]);
  report.closing(() => proxy.stop());
  async function ask(command: string): Promise<string> {
    const socket = connect(socketPath);
    socket.end(`${command}\n`);
    return (await text(socket)).trim();
  }
  async function setState(index: number, state: string): Promise<void> {
    const answer = await ask(`set server instances/${SERVERS[index]} state ${state}`);
    if (answer !== '') throw new Error(`HAProxy says: ${answer}`);
  }
  async function isRunning(index: number): Promise<boolean> {
    const lines = (await ask('show servers state instances')).split('\n');
    const fields = lines.map((line) => line.split(' '));
    return fields.some(([, , , name, , state]) => name === SERVERS[index] && state === RUNNING);
  }
  return {
    drain: (index) => setState(index, 'drain'),
    putBack: (index) => setState(index, 'ready'),
    seen: async (index) => void (await until(() => isRunning(index))),
  };
}

/** By `down` in its configuration, which SIGHUP reads again. */
async function startNginx(report: DrillReport, place: ProxyPlace): Promise<LoadBalancer> {
  const proxy = await startProxy('nginx', place);
  report.closing(() => proxy.stop());
  const path = join(place.folder, 'nginx-edge-account.conf');
  const whole = readFileSync(path, 'utf8');
  async function reload(content: string): Promise<void> {
    writeFileSync(path, content);
    process.kill(proxy.pid, 'SIGHUP');
  }
  return {
    drain: (index) =>
      reload(
        whole.replace(
          `:${place.instances[index]} max_fails`,
          `:${place.instances[index]} down max_fails`,
        ),
      ),
    putBack: () => reload(whole),
    seen: () => wait(NGINX_SEEN_MS),
  };
}

export async function startLoadBalancer(
  report: DrillReport,
  name: 'haproxy' | 'nginx',
  { listen, instances: [first = 0, second = 0] }: { listen: number; instances: readonly number[] },
): Promise<LoadBalancer> {
  const folder = mkdtempSync(join(tmpdir(), 'edge-account-proxy-'));
  report.closing(() => rmSync(folder, { recursive: true, force: true }));
  const start = { haproxy: startHaproxy, nginx: startNginx }[name];
  return await start(report, { folder, listen, instances: [first, second] });
}
