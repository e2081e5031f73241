/**
 * A device's presence: a live connection that beats, comes back by itself, and obeys when it is cut off. Between
 * connections, and where no socket can be held, it beats over HTTP.
 */
import { createBackoff, delay } from './backoff.ts';
import { bodyOf, type EdgeClient } from './client.ts';
import { EdgeError } from './problem.ts';

/** What the service says when it closes; see `GET /me/devices/connect`. */
export const CLOSE_CODES = {
  unauthorised: 4401,
  disconnected: 4403,
  replaced: 4409,
  flood: 4429,
} as const;

export type DeviceState =
  | { readonly status: 'connecting' }
  | { readonly status: 'online'; readonly transport: 'socket' | 'http' }
  /** `refusal`: what the service answered instead of letting it in. */
  | {
      readonly status: 'waiting';
      readonly wait_ms: number;
      readonly reason: string;
      readonly refusal?: EdgeError;
    }
  /** The end: the person, or the operator, cut the device off, or it has to sign in again. */
  | { readonly status: 'ended'; readonly code: string; readonly reason: string };

/** The part of a WebSocket that is needed; the browser's own and that of `ws` have it. */
export interface SocketLike {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  onerror: ((event: never) => void) | null;
  /** Called instead of `onclose` by sockets that can read why the handshake was refused; a browser's cannot. */
  onrefused?: ((refusal: EdgeError) => void) | null;
  send(text: string): void;
  close(code?: number): void;
}

export interface DeviceConnectionOptions {
  readonly client: EdgeClient;
  readonly nodeId: string;
  /** Opens a socket with headers, where that is possible. Default: the runtime's WebSocket with a connect ticket. */
  readonly openSocket?: (url: string, headers: Record<string, string>) => SocketLike;
  /** Beats at least this often, where the runtime ends what is silent for too long. */
  readonly beatAtLeastEvery_s?: number;
  /** `http`: no socket is tried. */
  readonly transport?: 'socket' | 'http';
  readonly onState?: (state: DeviceState) => void;
}

export interface DeviceConnection {
  /** Resolves when it has ended: cut off, signed out, or stopped. */
  run(signal?: AbortSignal): Promise<DeviceState>;
}

interface Closed {
  readonly code: number;
  readonly reason: string;
  readonly wasOpen: boolean;
  readonly openFor_ms: number;
  readonly refusal?: EdgeError;
}

/** Why a try came to nothing. */
type Setback = Pick<Extract<DeviceState, { status: 'waiting' }>, 'reason' | 'refusal'>;

const CONNECT_TIMEOUT_MS = 15_000;
/** An answer to a beat takes no longer: after sleep, or on a dead path, the connection is made anew. */
const ANSWER_TIMEOUT_MS = 10_000;
/**
 * What came back by itself and is told within this time that another connection replaced it, met its own past: a
 * connection that another node of the service held to be the newer one. It tries again, but not for ever.
 */
const SETTLED_AFTER_MS = 10_000;
const REPLACED_SOON_MAX = 3;
/** From here on a closing says what the service has against this connection, not that the path or the service went away. */
const APPLICATION_CODES = 4000;
const DEFAULT_INTERVAL_S = 30;
/** Said by whoever leaves because it wants to. */
const STOPPED = 1000;
const BEAT = '{"type":"beat"}';

/** Codes of refusals that no waiting changes: only a new sign-in may. */
export const FINAL_CODES: ReadonlySet<string> = new Set([
  'signed_out',
  'token_revoked',
  'invalid_grant',
  'insufficient_scope',
  'wrong_token_kind',
  'token_not_bound',
  'token_bound_elsewhere',
  'token_not_fresh',
  'device_disconnected',
  'device_deleted',
  'not_found',
]);

const FINAL_CLOSE: Readonly<Record<number, string>> = {
  [CLOSE_CODES.disconnected]: 'disconnected',
  [CLOSE_CODES.replaced]: 'replaced',
};

function ended(error: EdgeError): DeviceState {
  return { status: 'ended', code: error.code, reason: error.words };
}

/** True for what was let in and closed again at once, for one connection too many or a flood: it must not come back without a pause. */
function isTurnedAway({ code, openFor_ms }: Closed): boolean {
  return code >= APPLICATION_CODES && openFor_ms < SETTLED_AFTER_MS;
}

function setbackOf({ code, reason, refusal }: Closed): Setback {
  return {
    reason: reason === '' ? `the connection ended (${code})` : reason,
    ...(refusal && { refusal }),
  };
}

/** What the connection was told is more than that there is no further token. */
function explainEnd(error: unknown, reason: string): never {
  if (!(error instanceof EdgeError) || error.code !== 'signed_out' || reason === '') throw error;
  throw new EdgeError(
    { ...error.problem, detail: `The sign-in is over: ${reason}.` },
    undefined,
    error,
  );
}

async function openWithTicket(client: EdgeClient, url: string): Promise<SocketLike> {
  const { subprotocols } = await bodyOf(client.api.POST('/me/devices/connect-ticket', {}));
  return new WebSocket(url, subprotocols) as unknown as SocketLike;
}

async function openSocket({
  client,
  openSocket: open,
}: DeviceConnectionOptions): Promise<SocketLike> {
  const url = `${client.baseUrl}/me/devices/connect`;
  const socketUrl = url.replace(/^http/, 'ws');
  return open
    ? open(socketUrl, await client.authorize('GET', url))
    : openWithTicket(client, socketUrl);
}

/** Holds one socket until it closes; every beat must be answered. */
function hold(
  socket: SocketLike,
  signal: AbortSignal,
  beatAtLeastEvery_s: number,
  onOnline: () => void,
): Promise<Closed> {
  return new Promise((resolve) => {
    let wasOpen = false;
    let openedAt_ms = performance.now();
    let beatTimer: ReturnType<typeof setTimeout> | undefined;
    let deadline = setTimeout(() => finish(1006, 'no answer'), CONNECT_TIMEOUT_MS);

    function finish(code: number, reason: string, refusal?: EdgeError): void {
      clearTimeout(beatTimer);
      clearTimeout(deadline);
      signal.removeEventListener('abort', stop);
      socket.onclose = null;
      socket.onrefused = null;
      socket.onerror = () => {};
      // A goodbye of its own, or an end that the service or the path has brought about.
      if (code === STOPPED) socket.close(STOPPED);
      else socket.close();
      resolve({
        code,
        reason,
        wasOpen,
        openFor_ms: performance.now() - openedAt_ms,
        ...(refusal && { refusal }),
      });
    }
    function stop(): void {
      finish(STOPPED, 'stopped');
    }
    function beatLater(interval_s: number): void {
      clearTimeout(deadline);
      clearTimeout(beatTimer);
      beatTimer = setTimeout(() => {
        socket.send(BEAT);
        deadline = setTimeout(() => finish(1006, 'a beat was not answered'), ANSWER_TIMEOUT_MS);
      }, interval_s * 1000);
    }
    let interval_s = DEFAULT_INTERVAL_S;
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(String(data)) as { type: string; heartbeat_interval?: number };
      if (message.type === 'disconnect') return;
      if (message.type === 'state') {
        wasOpen = true;
        openedAt_ms = performance.now();
        interval_s = Math.min(beatAtLeastEvery_s, message.heartbeat_interval ?? interval_s);
        onOnline();
      }
      beatLater(interval_s);
    };
    socket.onerror = () => {};
    socket.onclose = ({ code, reason }) => finish(code, reason);
    socket.onrefused = (refusal) => finish(1006, refusal.words, refusal);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });
}

export function createDeviceConnection(options: DeviceConnectionOptions): DeviceConnection {
  const { client, nodeId, transport = 'socket', onState = () => {} } = options;
  const backoff = createBackoff();
  let connections = 0;
  let replacedSoon = 0;

  /** True for the 4409 of a connection that this device made itself a moment ago. */
  function isOwnReplacement({ code, openFor_ms }: Closed): boolean {
    const isSoon =
      code === CLOSE_CODES.replaced && connections > 1 && openFor_ms < SETTLED_AFTER_MS;
    replacedSoon = isSoon ? replacedSoon + 1 : 0;
    return isSoon && replacedSoon <= REPLACED_SOON_MAX;
  }

  async function beat(): Promise<number> {
    const answer = await bodyOf(
      client.api.POST('/me/devices/{node_id}/heartbeat', { params: { path: { node_id: nodeId } } }),
    );
    return answer.heartbeat_interval;
  }

  /** One connection from begin to end. @throws EdgeError when the service refuses */
  async function connectOnce(signal: AbortSignal): Promise<Setback> {
    onState({ status: 'connecting' });
    const socket = await openSocket(options);
    const closed = await hold(
      socket,
      signal,
      options.beatAtLeastEvery_s ?? Number.POSITIVE_INFINITY,
      () => {
        onState({ status: 'online', transport: 'socket' });
      },
    );
    if (closed.wasOpen) connections++;
    if (closed.wasOpen && !isTurnedAway(closed)) backoff.reset();
    if (isOwnReplacement(closed)) return setbackOf(closed);
    const code = FINAL_CLOSE[closed.code];
    if (code !== undefined)
      throw new EdgeError({
        status: 403,
        code: code === 'disconnected' ? 'device_disconnected' : 'replaced',
        reason: closed.reason,
      });
    if (closed.code === CLOSE_CODES.unauthorised)
      await client.renewToken().catch((error: unknown) => explainEnd(error, closed.reason));
    // A browser is not told why a handshake was refused; a beat says it, and keeps the device online meanwhile.
    else if (!closed.wasOpen && !signal.aborted) await beat();
    return setbackOf(closed);
  }

  async function beatOnce(signal: AbortSignal): Promise<void> {
    const interval_s = await beat();
    backoff.reset();
    onState({ status: 'online', transport: 'http' });
    await delay(interval_s * 1000, signal);
  }

  async function attempt(signal: AbortSignal): Promise<Setback | DeviceState | undefined> {
    try {
      if (transport === 'socket') return await connectOnce(signal);
      await beatOnce(signal);
      return undefined;
    } catch (error) {
      if (!(error instanceof EdgeError))
        return { reason: error instanceof Error ? error.message : String(error) };
      if (FINAL_CODES.has(error.code) || error.code === 'replaced') return ended(error);
      return { reason: error.words, refusal: error };
    }
  }

  return {
    async run(signal = new AbortController().signal) {
      while (!signal.aborted) {
        const outcome = await attempt(signal);
        if (outcome === undefined || signal.aborted) continue;
        if ('status' in outcome) {
          onState(outcome);
          return outcome;
        }
        const wait_ms = backoff.next(outcome.refusal?.retryAfter_s);
        onState({ status: 'waiting', wait_ms, ...outcome });
        await delay(wait_ms, signal);
      }
      const stopped: DeviceState = { status: 'ended', code: 'stopped', reason: 'stopped' };
      onState(stopped);
      return stopped;
    },
  };
}
