/** The examples of proxies under deploy/, run in front of two instances on loopback. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const DEPLOY = new URL('../../../deploy/', import.meta.url).pathname;

export interface ProxyPlace {
  /** Gets its files. */
  readonly folder: string;
  readonly listen: number;
  /** Ports of the two instances. */
  readonly instances: readonly [number, number];
}

interface ProxyCommand {
  readonly args: string[];
  readonly env?: Record<string, string>;
}

/** Writes the example with other addresses. @returns its path */
export function writeExample(
  path: string,
  { folder, listen, instances: [first, second] }: ProxyPlace,
  change: (text: string) => string = (text) => text,
): string {
  const text = readFileSync(join(DEPLOY, path), 'utf8')
    .replace(/127\.0\.0\.1:8081/g, `127.0.0.1:${first}`)
    .replace(/127\.0\.0\.1:8082/g, `127.0.0.1:${second}`)
    .replace(/^(\s*listen )8080;/m, `$1127.0.0.1:${listen};`)
    .replace(/^:8080 \{/m, `:${listen} {`);
  const target = join(folder, path.replaceAll('/', '-'));
  writeFileSync(target, change(text));
  return target;
}

/** The main configuration of nginx around its example. */
export const nginxMain = (server: string, folder: string): string => `daemon off;
pid ${folder}/nginx.pid; error_log stderr; events {} http { access_log off; ${server} }`;

/** How each proxy is started with its example. */
const COMMANDS: Readonly<Record<string, (place: ProxyPlace) => ProxyCommand>> = {
  haproxy: ({ listen, instances: [first, second] }) => ({
    args: ['-db', '-f', join(DEPLOY, 'haproxy/haproxy.cfg')],
    env: {
      LISTEN: `127.0.0.1:${listen}`,
      INSTANCE_A: `127.0.0.1:${first}`,
      INSTANCE_B: `127.0.0.1:${second}`,
    },
  }),
  nginx: (place) => ({
    args: [
      ...['-p', place.folder, '-c'],
      writeExample('nginx/edge-account.conf', place, (text) => nginxMain(text, place.folder)),
    ],
  }),
  caddy: (place) => ({
    args: ['run', '--adapter', 'caddyfile', '--config', writeExample('caddy/Caddyfile', place)],
  }),
};

export const PROXY_NAMES = Object.keys(COMMANDS);

export const isInstalled = (program: string): Promise<boolean> =>
  promisify(execFile)('which', [program]).then(
    () => true,
    () => false,
  );

export interface RunningProxy {
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts a proxy with its example. @returns once it passes a request on */
export async function startProxy(
  name: string,
  place: ProxyPlace,
  more: readonly string[] = [],
): Promise<RunningProxy> {
  const { args, env = {} } = COMMANDS[name]?.(place) ?? { args: [] };
  const home = { HOME: place.folder, XDG_DATA_HOME: place.folder };
  const child = spawn(name, [...args, ...more], {
    env: { PATH: process.env.PATH ?? '', ...home, ...env },
    stdio: 'ignore',
  });
  const ended = once(child, 'close');
  const url = `http://127.0.0.1:${place.listen}/healthz`;
  const isUp = () =>
    fetch(url).then(
      ({ status }) => status === 200,
      () => false,
    );
  while (child.exitCode === null && !(await isUp())) await new Promise(setImmediate);
  if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
  return {
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
