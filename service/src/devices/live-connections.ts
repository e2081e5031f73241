/**
 * The live connections of this process. One timer serves all of them: each is pinged once per heartbeat interval,
 * in the second that is its turn, and whatever is heard goes to presence. Nothing is kept per connection but facts.
 */
import type { Duplex } from 'node:stream';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import type { Principal } from '../http/index.ts';
import { type Revocation, sayRevocation } from '../identity/index.ts';
import type { Clock } from '../lib/clock.ts';
import { SUBPROTOCOL } from './connect-ticket.ts';
import { CLOSE, CLOSE_TIMEOUT_MS, DeviceSocket, FRAME_MAX_BYTES } from './device-socket.ts';
import type { CallingDevice } from './find-calling-device.ts';
import type { Presence } from './presence.ts';
import { REVOKED_BY_PATTERN } from './revoke-device.ts';

/** A reader this far behind is cut off. */
const UNSENT_MAX_BYTES = 64 * 1024;
/** The protocol allows 123 bytes; our reasons are ASCII. */
const REASON_MAX = 120;
const UNREAD = 'what is sent to it is not read';
const TICK_MS = 1000;

const BEAT = Buffer.from('{"type":"beat"}');
const BEAT_ANSWER = Buffer.from('{"type":"beat"}');
const AS_TEXT = { binary: false } as const;

export interface LiveConnectionsDeps {
  readonly clock: Clock;
  readonly presence: Pick<Presence, 'heard'>;
  readonly heartbeatInterval_s: number;
  readonly messagesPerSecond: number;
}

export interface NewConnection {
  readonly request: import('node:http').IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly principal: Principal;
  readonly device: CallingDevice;
  readonly address: string;
  /** Notes it for other nodes, once it is open; what it returns is called when it ended. */
  readonly register: () => () => void;
  /** Called once when the connection ended, or did not come to be. */
  readonly release: () => void;
}

export interface ConnectionFigures {
  readonly open: number;
  /** How many this process closed itself, by why. */
  readonly closed: Readonly<Record<string, number>>;
}

export interface LiveConnections {
  accept(connection: NewConnection): void;
  /** Closes what a revocation concerns. */
  handleRevocation(revocation: Revocation): void;
  figures(): ConnectionFigures;
  /** Where a device is connected from, if it is connected to this process. */
  addressOf(deviceId: number): string | undefined;
  /** Lets a device go that has connected again, here or elsewhere. */
  replace(deviceId: number): void;
  /** Lets a device go whose connection is one too many. */
  exceed(deviceId: number, words: string): void;
  start(): void;
  /** Closes everything; devices come back to another process. */
  stop(): void;
}

function isConcerned(
  socket: DeviceSocket,
  { kind, value, effectiveAt, sparedSid }: Revocation,
): boolean {
  const { facts, device } = socket;
  if (!facts || !device) return false;
  if (sparedSid !== undefined && sparedSid === facts.sid) return false;
  if (kind === 'jti') return facts.jti === value;
  if (kind === 'sid') return facts.sid === value;
  if (kind === 'grant') return facts.grantId === value;
  if (facts.issuedAt > effectiveAt) return false;
  if (kind === 'all') return true;
  if (kind === 'node') return `${device.userId} ${device.nodeId}` === value;
  if (kind === 'client') return facts.clientId === value;
  if (kind === 'connection') return `${device.userId} ${facts.clientId}` === value;
  return String(device.userId) === value;
}

export function createLiveConnections({
  clock,
  presence,
  heartbeatInterval_s,
  messagesPerSecond,
}: LiveConnectionsDeps): LiveConnections {
  const byDevice = new Map<number, DeviceSocket>();
  const messagesMax = messagesPerSecond * heartbeatInterval_s;
  const closed = new Map<string, number>(Object.keys(CLOSE).map((why) => [why, 0]));
  let tick = 0;
  let nextTurn = 0;
  let timer: NodeJS.Timeout | undefined;

  const server = new WebSocketServer<typeof DeviceSocket>({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: FRAME_MAX_BYTES,
    WebSocket: DeviceSocket,
    handleProtocols: (protocols) =>
      protocols.has(SUBPROTOCOL) ? SUBPROTOCOL : ([...protocols][0] ?? false),
  });

  function release(socket: DeviceSocket): void {
    socket.release?.();
    socket.release = undefined;
  }

  function close(socket: DeviceSocket, why: keyof typeof CLOSE, words: string): void {
    const code = CLOSE[why];
    const reason = words.slice(0, REASON_MAX);
    if (socket.device && byDevice.get(socket.device.deviceId) === socket)
      byDevice.delete(socket.device.deviceId);
    // A dead path takes its time to end; what was told to go stands in nobody's way.
    release(socket);
    if (socket.readyState !== WebSocket.OPEN) return;
    closed.set(why, (closed.get(why) ?? 0) + 1);
    socket.send(JSON.stringify({ type: 'disconnect', code, reason }));
    socket.close(code, reason);
    // Whoever was cut off does not decide when the connection ends, nor how long its unread answers are kept.
    if (why === 'flood' || why === 'badMessage') socket.hearNoMore();
    else setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS).unref();
  }

  function hear(socket: DeviceSocket): void {
    // A socket that was told to close is heard no more.
    if (!socket.device || socket.readyState !== WebSocket.OPEN) return;
    presence.heard(socket.device.deviceId, socket.address);
  }

  function isBeat(data: RawData): boolean {
    if (!Buffer.isBuffer(data)) return false;
    if (data.equals(BEAT)) return true;
    try {
      return (JSON.parse(data.toString()) as { type?: unknown } | null)?.type === 'beat';
    } catch {
      return false;
    }
  }

  // Shared by all sockets, so that none carries closures of its own.
  function onMessage(this: WebSocket, data: RawData): void {
    const socket = this as DeviceSocket;
    // What was sent before the client learned that it is closed.
    if (socket.readyState !== WebSocket.OPEN) return;
    if (++socket.messages > messagesMax) close(socket, 'flood', 'too many messages');
    else if (!isBeat(data)) close(socket, 'badMessage', 'only {"type":"beat"} is understood');
    else if (socket.bufferedAmount > UNSENT_MAX_BYTES) close(socket, 'silent', UNREAD);
    else {
      hear(socket);
      socket.send(BEAT_ANSWER, AS_TEXT);
    }
  }
  function onPing(this: WebSocket): void {
    const socket = this as DeviceSocket;
    if (++socket.messages > messagesMax) close(socket, 'flood', 'too many messages');
    else hear(socket);
  }
  function onPong(this: WebSocket, data: Buffer): void {
    const socket = this as DeviceSocket;
    if (data.toString() === String(socket.unanswered)) socket.unanswered = undefined;
    onPing.call(socket);
  }
  function onClose(this: WebSocket): void {
    const socket = this as DeviceSocket;
    release(socket);
    if (socket.device && byDevice.get(socket.device.deviceId) === socket)
      byDevice.delete(socket.device.deviceId);
    socket.facts = undefined;
    socket.device = undefined;
    socket.raw = undefined;
  }
  /** `ws` closes by itself after a protocol error; the listener only keeps the process alive. */
  function onError(): void {}

  function replace(deviceId: number): void {
    const older = byDevice.get(deviceId);
    if (older) close(older, 'replaced', 'the device connected again');
  }

  function welcome(
    socket: DeviceSocket,
    { principal, device, address, socket: raw, register, release: discount }: NewConnection,
  ): void {
    const { jti, sid, grantId, clientId, issuedAt, expiresAt } = principal;
    socket.facts = {
      jti,
      clientId,
      issuedAt,
      expiresAt,
      ...(sid !== undefined && { sid }),
      ...(grantId !== undefined && { grantId }),
    };
    socket.device = device;
    socket.raw = raw;
    socket.address = address;
    const unregister = register();
    socket.release = () => {
      discount();
      unregister();
    };
    socket.turn = nextTurn++ % heartbeatInterval_s;
    socket
      .on('message', onMessage)
      .on('pong', onPong)
      .on('ping', onPing)
      .on('close', onClose)
      .on('error', onError);
    replace(device.deviceId);
    byDevice.set(device.deviceId, socket);
    hear(socket);
    const state = {
      type: 'state',
      node_id: device.nodeId,
      status: 'online',
      heartbeat_interval: heartbeatInterval_s,
      server_time: clock.now().toISOString(),
    };
    socket.send(JSON.stringify(state));
  }

  /** Beats do not excuse a missing answer to a ping: who answers has read it, and only who reads may stay. */
  function takeTurn(socket: DeviceSocket, ping: Buffer): void {
    if (socket.bufferedAmount > UNSENT_MAX_BYTES) close(socket, 'silent', UNREAD);
    else if (socket.unanswered !== undefined)
      close(socket, 'silent', `a ping was not answered for ${heartbeatInterval_s} s`);
    else {
      socket.unanswered = tick;
      socket.messages = 0;
      socket.ping(ping);
    }
  }

  function onTick(): void {
    const turn = ++tick % heartbeatInterval_s;
    const ping = Buffer.from(String(tick));
    const now = clock.now();
    for (const socket of byDevice.values()) {
      if (socket.facts && socket.facts.expiresAt <= now)
        close(socket, 'unauthorised', 'the token expired');
      else if (socket.turn === turn) takeTurn(socket, ping);
    }
  }

  return {
    accept(connection) {
      const { request, socket, head, release } = connection;
      let isOpen = false;
      // It calls back, or refuses the handshake, before it returns.
      server.handleUpgrade(request, socket, head, (webSocket) => {
        isOpen = true;
        welcome(webSocket, connection);
      });
      if (!isOpen) release();
    },
    handleRevocation(revocation) {
      const why = REVOKED_BY_PATTERN.test(revocation.reason) ? 'disconnected' : 'unauthorised';
      const words = sayRevocation(revocation.reason);
      for (const socket of byDevice.values())
        if (isConcerned(socket, revocation)) close(socket, why, words);
    },
    figures: () => ({ open: byDevice.size, closed: Object.fromEntries(closed) }),
    addressOf: (deviceId) => byDevice.get(deviceId)?.address,
    replace,
    exceed(deviceId, words) {
      const socket = byDevice.get(deviceId);
      if (socket) close(socket, 'limit', words);
    },
    start() {
      timer = setInterval(onTick, TICK_MS).unref();
    },
    stop() {
      clearInterval(timer);
      for (const socket of byDevice.values()) close(socket, 'restart', 'the service restarts');
    },
  };
}
