/**
 * The presence of a device: a WebSocket with heartbeats, which reconnects until the device is
 * disconnected. Between connections, and without WebSocket, heartbeats are sent over HTTP.
 */
import { createBackoff, delay } from './backoff.ts';
import { type EdgeClient, unwrap } from './client.ts';
import { type Closed, runSocket, type SocketLike } from './device-socket.ts';
import { EdgeError } from './problem.ts';

/** Close codes of the service; see `GET /me/devices/connect`. */
export const CLOSE_CODES = {
  unauthorised: 4401,
  disconnected: 4403,
  replaced: 4409,
  flood: 4429,
} as const;

export type DeviceState =
  | { readonly status: 'connecting' }
  | { readonly status: 'online'; readonly transport: 'socket' | 'http' }
  /**
   * `code` is stable, `reason` is in English. `code` is that of the problem that the service
   * answered (`refusal`), or `unreachable`; of a connection that was closed `connection_lost`,
   * `restarting`, `rate_limited`, `replaced`, `invalid_token`, `not_reading` or
   * `malformed_message`; `failed` for an error of this program.
   */
  | {
      readonly status: 'waiting';
      readonly wait_ms: number;
      readonly code: string;
      readonly reason: string;
      readonly refusal?: EdgeError;
    }
  /** Final: the device was disconnected, or needs a new sign-in. `code` is stable. */
  | { readonly status: 'ended'; readonly code: string; readonly reason: string };

export interface DeviceConnectionOptions {
  readonly client: EdgeClient;
  readonly nodeId: string;
  /**
   * Opens a socket with headers, where that is possible. Default: the runtime's WebSocket with a
   * connect ticket.
   */
  readonly openSocket?: (url: string, headers: Record<string, string>) => SocketLike;
  /** Longest interval of heartbeats, for runtimes that end idle programs. */
  readonly beatAtLeastEvery_s?: number;
  /** `http`: without WebSocket. */
  readonly transport?: 'socket' | 'http';
  readonly onState?: (state: DeviceState) => void;
}

export interface DeviceConnection {
  /** Resolves when it has ended: disconnected, signed out, or stopped. */
  run(signal?: AbortSignal): Promise<DeviceState>;
}

/** Why an attempt failed. */
type Setback = Omit<Extract<DeviceState, { status: 'waiting' }>, 'status' | 'wait_ms'>;

/**
 * A device that reconnects may be told, within this time, that another connection replaced it: an
 * instance took its previous connection for the newer one. It tries again, a few times.
 */
const SETTLED_AFTER_MS = 10_000;
const REPLACED_SOON_MAX = 3;
/** Close codes from here on are about this connection, not about the network or the service. */
const APPLICATION_CODES = 4000;

/** Codes of refusals that only a new sign-in can change. */
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

/** Codes of what closes a connection that is opened again, by the close code. */
const CLOSE_SETBACKS: Readonly<Record<number, string>> = {
  1012: 'restarting',
  4400: 'malformed_message',
  4408: 'not_reading',
  [CLOSE_CODES.unauthorised]: 'invalid_token',
  [CLOSE_CODES.replaced]: 'replaced',
  [CLOSE_CODES.flood]: 'rate_limited',
};
const CONNECTION_LOST = 'connection_lost';

const FINAL_CLOSE: Readonly<Record<number, string>> = {
  [CLOSE_CODES.disconnected]: 'disconnected',
  [CLOSE_CODES.replaced]: 'replaced',
};

/** Reasons of `token_revoked` that are about the device, and the codes of what happened to it. */
const DEVICE_ENDINGS: Readonly<Record<string, string>> = {
  device_disconnected_by_owner: 'device_disconnected',
  device_disconnected_by_key_holder: 'device_disconnected',
  device_deleted_by_owner: 'device_deleted',
  device_deleted_by_key_holder: 'device_deleted',
};

/** The code of what ends a device: its own end, where its tokens were revoked with it. */
export function endingCodeOf({ code, problem }: EdgeError): string {
  return DEVICE_ENDINGS[problem.reason ?? ''] ?? code;
}

function ended(error: EdgeError): DeviceState {
  return { status: 'ended', code: endingCodeOf(error), reason: error.words };
}

/** True for a connection that was closed soon, for a flood or a limit: the backoff continues. */
function isTurnedAway({ code, openFor_ms }: Closed): boolean {
  return code >= APPLICATION_CODES && openFor_ms < SETTLED_AFTER_MS;
}

function setbackOf({ code, reason, refusal }: Closed): Setback {
  return {
    code: refusal?.code ?? CLOSE_SETBACKS[code] ?? CONNECTION_LOST,
    reason: reason === '' ? `the connection ended (${code})` : reason,
    ...(refusal && { refusal }),
  };
}

/** The reason of the closing says more than that no token can be had. */
function explainEnd(error: unknown, reason: string): never {
  if (!(error instanceof EdgeError) || error.code !== 'signed_out' || reason === '') throw error;
  throw new EdgeError(
    { ...error.problem, detail: `The sign-in is over: ${reason}.` },
    undefined,
    error,
  );
}

async function openWithTicket(client: EdgeClient, url: string): Promise<SocketLike> {
  const { subprotocols } = await unwrap(client.api.POST('/me/devices/connect-ticket', {}));
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

class ReconnectingDevice implements DeviceConnection {
  readonly #options: DeviceConnectionOptions;
  readonly #onState: (state: DeviceState) => void;
  readonly #backoff = createBackoff();
  #connections = 0;
  #replacedSoon = 0;

  constructor(options: DeviceConnectionOptions) {
    this.#options = options;
    this.#onState = options.onState ?? (() => undefined);
  }

  async run(signal: AbortSignal = new AbortController().signal): Promise<DeviceState> {
    while (!signal.aborted) {
      const outcome = await this.#attempt(signal);
      if (outcome === undefined || signal.aborted) continue;
      if ('status' in outcome) {
        this.#onState(outcome);
        return outcome;
      }
      const wait_ms = this.#backoff.next(outcome.refusal?.retryAfter_s);
      this.#onState({ status: 'waiting', wait_ms, ...outcome });
      await delay(wait_ms, signal);
    }
    const stopped: DeviceState = { status: 'ended', code: 'stopped', reason: 'stopped' };
    this.#onState(stopped);
    return stopped;
  }

  async #attempt(signal: AbortSignal): Promise<Setback | DeviceState | undefined> {
    try {
      if (this.#options.transport !== 'http') {
        const setback = await this.#connect(signal);
        // The heartbeat after the refusal was accepted: the client has a new token, or the time of
        // the service.
        return setback.refusal?.status === 401 ? await this.#connect(signal) : setback;
      }
      await this.#beatOnce(signal);
      return undefined;
    } catch (error) {
      if (!(error instanceof EdgeError))
        return { code: 'failed', reason: error instanceof Error ? error.message : String(error) };
      if (FINAL_CODES.has(error.code) || error.code === 'replaced') return ended(error);
      return { code: error.code, reason: error.words, refusal: error };
    }
  }

  /** One connection from its opening to its close. @throws EdgeError when the service refuses */
  async #connect(signal: AbortSignal): Promise<Setback> {
    this.#onState({ status: 'connecting' });
    const { client, beatAtLeastEvery_s = Number.POSITIVE_INFINITY } = this.#options;
    const socket = await openSocket(this.#options);
    const closed = await runSocket(socket, signal, beatAtLeastEvery_s, () =>
      this.#onState({ status: 'online', transport: 'socket' }),
    );
    if (closed.wasOpen) this.#connections++;
    if (closed.wasOpen && !isTurnedAway(closed)) this.#backoff.reset();
    if (this.#isOwnReplacement(closed)) return setbackOf(closed);
    const code = FINAL_CLOSE[closed.code];
    if (code !== undefined)
      throw new EdgeError({
        status: 403,
        code: code === 'disconnected' ? 'device_disconnected' : 'replaced',
        detail: closed.reason,
      });
    if (closed.code === CLOSE_CODES.unauthorised)
      await client.renewToken().catch((error: unknown) => explainEnd(error, closed.reason));
    // A browser does not learn why a handshake was refused. A heartbeat does, and keeps the device
    // online meanwhile.
    else if (!closed.wasOpen && !signal.aborted) await this.#beat();
    return setbackOf(closed);
  }

  /** True for the 4409 of a connection that this device replaced itself a moment ago. */
  #isOwnReplacement({ code, openFor_ms }: Closed): boolean {
    const isSoon =
      code === CLOSE_CODES.replaced && this.#connections > 1 && openFor_ms < SETTLED_AFTER_MS;
    this.#replacedSoon = isSoon ? this.#replacedSoon + 1 : 0;
    return isSoon && this.#replacedSoon <= REPLACED_SOON_MAX;
  }

  async #beat(): Promise<number> {
    const { client, nodeId } = this.#options;
    const params = { path: { node_id: nodeId } };
    return (await unwrap(client.api.POST('/me/devices/{node_id}/heartbeat', { params })))
      .heartbeat_interval;
  }

  async #beatOnce(signal: AbortSignal): Promise<void> {
    const interval_s = await this.#beat();
    this.#backoff.reset();
    this.#onState({ status: 'online', transport: 'http' });
    await delay(interval_s * 1000, signal);
  }
}

export function createDeviceConnection(options: DeviceConnectionOptions): DeviceConnection {
  return new ReconnectingDevice(options);
}
