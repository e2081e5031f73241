/** HAProxy and nginx with the examples of deploy/, and ways to take an instance out. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type ProxyPlace, startProxy } from '../../service/test/support/proxies.ts';
import type { DrillReport } from '../harness/drill.ts';

export interface LoadBalancer {
  /** New requests go to the other instance from now on. */
  drain(index: number): Promise<void>;
  putBack(index: number): Promise<void>;
}

const SERVERS = ['a', 'b'];

/** Through the runtime socket of HAProxy. */
async function startHaproxy(report: DrillReport, place: ProxyPlace): Promise<LoadBalancer> {
  const socketPath = join(place.folder, 'admin.sock');
  const admin = join(place.folder, 'admin.cfg');
  writeFileSync(admin, `global\n  stats socket ${socketPath} level admin\n`);
  const proxy = await startProxy('haproxy', place, ['-f', admin]);
  report.closing(() => proxy.stop());
  async function setState(index: number, state: string): Promise<void> {
    const socket = connect(socketPath);
    socket.end(`set server instances/${SERVERS[index]} state ${state}\n`);
    const answer = (await text(socket)).trim();
    if (answer !== '') throw new Error(`HAProxy says: ${answer}`);
  }
  return {
    drain: (index) => setState(index, 'drain'),
    putBack: (index) => setState(index, 'ready'),
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
