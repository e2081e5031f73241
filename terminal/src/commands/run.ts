/**
 * `edge-terminal run`: signs in if necessary, registers, and stays connected. Exit code 3:
 * disconnected or deleted; 4: it has to sign in; 5: another process runs as this device.
 */
import { type as osType, release } from 'node:os';
import { parseArgs } from 'node:util';
import {
  createBackoff,
  createDeviceConnection,
  type DeviceState,
  delay,
  EdgeError,
  endingCodeOf,
  FINAL_CODES,
  registerDevice,
} from '@edge-account/sdk';
import { openSocket } from '../open-socket.ts';
import { COMMON_OPTIONS, NotSignedIn, openTerminal, type Terminal } from '../open-terminal.ts';
import { suggestRestart, type TerminalOptions, VERSION } from '../program.ts';
import { signIn } from './login.ts';

const EXIT = { disconnected: 3, signedOut: 4, replaced: 5 } as const;

/** The exit code of an error that ends a run; undefined for other errors. */
function exitCodeOf(code: string): number | undefined {
  if (code === 'replaced') return EXIT.replaced;
  if (code === 'device_disconnected' || code === 'device_deleted') return EXIT.disconnected;
  return FINAL_CODES.has(code) ? EXIT.signedOut : undefined;
}

/** Ends the run with advice. */
function endWith(exitCode: number, reason: string, values: TerminalOptions): void {
  process.exitCode = exitCode;
  log(`ended: ${reason}`);
  log(exitCode === EXIT.replaced ? 'Another process runs as this device.' : suggestRestart(values));
}

function describe(state: DeviceState): string {
  if (state.status === 'online') return `online (${state.transport})`;
  if (state.status === 'waiting')
    return `${state.reason}; trying again in ${(state.wait_ms / 1000).toFixed(1)} s`;
  return state.status;
}

function log(text: string): void {
  console.log(`${new Date().toISOString()} ${text}`);
}

/** Registers the device; repeated until the service is available. */
async function register({ client, nodeId, known }: Terminal, signal: AbortSignal): Promise<void> {
  const form = {
    device_type: 'TERMINAL' as const,
    browser: 'Edge Terminal',
    extension_version: VERSION,
    os: `${osType()} ${release()}`.slice(0, 128),
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    capabilities: ['relay'],
    requested_categories: [...(known?.categories ?? [])],
  };
  const backoff = createBackoff();
  while (!signal.aborted) {
    try {
      const device = await registerDevice(client, nodeId, form);
      log(`registered as ${device.node_id} (${device.name})`);
      return;
    } catch (error) {
      if (
        !(error instanceof EdgeError) ||
        (error.status !== 0 && error.status < 500 && error.status !== 429)
      )
        throw error;
      const wait_ms = backoff.next(error.retryAfter_s);
      log(describe({ status: 'waiting', wait_ms, code: error.code, reason: error.words }));
      await delay(wait_ms, signal);
    }
  }
}

/** Opens the terminal, after a sign-in if that may be asked for. */
async function openSignedIn(
  values: TerminalOptions,
  mayAsk: boolean,
): Promise<Terminal | undefined> {
  try {
    return await openTerminal(values);
  } catch (error) {
    if (!(error instanceof NotSignedIn)) throw error;
    if (mayAsk) {
      await signIn(values);
      return openTerminal(values);
    }
    console.error(`edge-terminal: ${error.message}`);
    process.exitCode = EXIT.signedOut;
    return undefined;
  }
}

/** Registers and stays connected until the end. */
async function connect(
  terminal: Terminal,
  signal: AbortSignal,
): Promise<{ code: string; reason: string }> {
  const { client, nodeId } = terminal;
  try {
    await register(terminal, signal);
  } catch (error) {
    if (!(error instanceof EdgeError)) throw error;
    const code = endingCodeOf(error);
    if (exitCodeOf(code) === undefined) throw error;
    return { code, reason: error.words };
  }
  const onState = (state: DeviceState): void => {
    if (state.status !== 'ended') log(describe(state));
  };
  const end = await createDeviceConnection({ client, nodeId, openSocket, onState }).run(signal);
  return end.status === 'ended' ? end : { code: 'stopped', reason: 'stopped' };
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { ...COMMON_OPTIONS, 'sign-in': { type: 'boolean' } },
  });
  const terminal = await openSignedIn(
    values,
    values['sign-in'] === true || process.stdout.isTTY === true,
  );
  if (!terminal) return;
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const { code, reason } = await connect(terminal, stop.signal);
  if (code === 'stopped') log('stopped');
  else endWith(exitCodeOf(code) ?? EXIT.signedOut, reason, values);
}
