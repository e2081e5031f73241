/** `edge-terminal run`: registers and stays connected. Exit code 3: cut off; 4: it has to sign in again. */
import { type as osType, release } from 'node:os';
import { bodyOf, createDeviceConnection, type DeviceState, EdgeError, type SocketLike } from '@edge-account/sdk';
import { WebSocket } from 'ws';
import { openTerminal, type Terminal } from '../open-terminal.ts';

const VERSION = '0.1.0';
const RETRY_MS = 5000;

const EXIT_CODES: Readonly<Record<string, number>> = { stopped: 0, signed_out: 4, invalid_grant: 4 };

function describe(state: DeviceState): string {
  if (state.status === 'online') return `online (${state.transport})`;
  if (state.status === 'waiting') return `${state.reason}; trying again in ${(state.wait_ms / 1000).toFixed(1)} s`;
  if (state.status === 'ended') return `ended: ${state.reason}`;
  return state.status;
}

function log(text: string): void {
  console.log(`${new Date().toISOString()} ${text}`);
}

/** What this device says of itself; repeated until the service is there. */
async function register({ client, nodeId }: Terminal, signal: AbortSignal): Promise<void> {
  const body = {
    device_type: 'TERMINAL' as const,
    browser: 'edge-terminal',
    extension_version: VERSION,
    os: `${osType()} ${release()}`.slice(0, 128),
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    capabilities: ['relay'],
  };
  while (!signal.aborted) {
    try {
      const device = await bodyOf(client.api.PUT('/me/devices/{node_id}', { params: { path: { node_id: nodeId } }, body }));
      log(`registered as ${device.node_id} (${device.name})`);
      return;
    } catch (error) {
      if (!(error instanceof EdgeError) || (error.status !== 0 && error.status < 500 && error.status !== 429)) throw error;
      const wait_ms = Math.max(RETRY_MS, (error.retryAfter_s ?? 0) * 1000);
      log(`${error.message} Trying again in ${wait_ms / 1000} s`);
      await new Promise((resolve) => setTimeout(resolve, wait_ms));
    }
  }
}

function openSocket(url: string, headers: Record<string, string>): SocketLike {
  return new WebSocket(url, { headers, perMessageDeflate: false }) as unknown as SocketLike;
}

export async function run(args: string[]): Promise<void> {
  const terminal = await openTerminal(args);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  await register(terminal, stop.signal);
  const { client, nodeId } = terminal;
  const connection = createDeviceConnection({ client, nodeId, openSocket, onState: (state) => log(describe(state)) });
  const end = await connection.run(stop.signal);
  if (end.status !== 'ended') return;
  process.exitCode = EXIT_CODES[end.code] ?? 3;
  if (process.exitCode !== 0) log('Run `edge-terminal login` to bring this device back.');
}
