/** One live connection of a device: its messages, its pings, and how it ends. */
import type { Duplex } from 'node:stream';
import { type RawData, WebSocket } from 'ws';
import type { Principal } from '../http/index.ts';
import type { Revocation } from '../identity/index.ts';
import { CLOSE_CODES, type CloseCause, type DeviceSocket } from './device-socket.ts';
import type { CallingDevice } from './find-calling-device.ts';
import type { Presence } from './presence.ts';

/** A client with more unread data than this is disconnected. */
const UNSENT_MAX_BYTES = 64 * 1024;
const UNREAD = 'messages to the device are not read';
const HEARTBEAT = Buffer.from('{"type":"beat"}');
const AS_TEXT = { binary: false } as const;

export interface NewConnection {
  readonly request: import('node:http').IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly principal: Principal;
  readonly device: CallingDevice;
  readonly address: string;
  /** Registers the open connection for all instances; the result ends the registration. */
  readonly register: () => () => void;
}

export type ConnectionPresence = Pick<
  Presence,
  'recordConnection' | 'recordConnectedHeartbeat' | 'recordDisconnection'
>;

/** What all connections of an instance share. */
export interface ConnectionSettings {
  readonly presence: ConnectionPresence;
  readonly heartbeatInterval_s: number;
  /** Messages that a device may send in one heartbeat interval. */
  readonly messagesMax: number;
  /** Called once when the connection ends; with the cause if the service closed it. */
  readonly onEnd: (connection: DeviceConnection, cause?: CloseCause) => void;
}

function isHeartbeat(data: RawData): boolean {
  if (!Buffer.isBuffer(data)) return false;
  if (data.equals(HEARTBEAT)) return true;
  try {
    return (JSON.parse(data.toString()) as { type?: unknown } | null)?.type === 'beat';
  } catch {
    return false;
  }
}

export class DeviceConnection {
  readonly device: CallingDevice;
  readonly #claims: Principal;
  readonly #address: string;
  readonly #socket: DeviceSocket;
  readonly #settings: ConnectionSettings;
  readonly #unregister: () => void;
  #messages = 0;
  #unansweredPing: string | undefined;
  #hasEnded = false;

  constructor(socket: DeviceSocket, connection: NewConnection, settings: ConnectionSettings) {
    this.device = connection.device;
    this.#claims = connection.principal;
    this.#address = connection.address;
    this.#socket = socket;
    this.#settings = settings;
    this.#unregister = connection.register();
    socket.raw = connection.socket;
    socket
      .on('message', (data) => this.#onMessage(data))
      .on('ping', () => this.#onPing())
      .on('pong', (data) => {
        if (data.toString() === this.#unansweredPing) this.#unansweredPing = undefined;
        this.#onPing();
      })
      .on('close', () => this.#end())
      // `ws` closes by itself after a protocol error; without a listener the process would end.
      .on('error', () => {});
  }

  get expiresAt(): Date {
    return this.#claims.expiresAt;
  }

  /** Reports the device as online, and sends its state. */
  open(serverTime: Date): void {
    this.#settings.presence.recordConnection(this.device.deviceId, this.#address);
    const state = {
      type: 'state',
      node_id: this.device.nodeId,
      status: 'online',
      heartbeat_interval: this.#settings.heartbeatInterval_s,
      server_time: serverTime.toISOString(),
    };
    this.#socket.send(JSON.stringify(state));
  }

  /**
   * Heartbeats do not replace the answer to a ping: only a client that reads what it is sent can
   * answer.
   */
  ping(tick: string): void {
    const { heartbeatInterval_s } = this.#settings;
    if (this.#socket.bufferedAmount > UNSENT_MAX_BYTES) this.close('silent', UNREAD);
    else if (this.#unansweredPing !== undefined)
      this.close('silent', `a ping was not answered for ${heartbeatInterval_s} s`);
    else {
      this.#unansweredPing = tick;
      this.#messages = 0;
      this.#socket.ping(tick);
    }
  }

  close(cause: CloseCause, text: string): void {
    const isOpen = this.#socket.readyState === WebSocket.OPEN;
    // Now, not when the socket is closed: a dead network path must not occupy a place.
    this.#end(isOpen ? cause : undefined);
    if (!isOpen) return;
    this.#socket.closeFor(CLOSE_CODES[cause], text);
    // A client that is disconnected for what it sent may still be sending: that is dropped until it
    // has answered. Ending before, a proxy would reset it, and it would lose the reason.
    this.#socket.terminateSoon(cause === 'flood' || cause === 'badMessage');
  }

  isAffectedBy({ kind, value, effectiveAt, sparedSid }: Revocation): boolean {
    const { jti, sid, grantId, clientId, issuedAt } = this.#claims;
    const { userId, nodeId } = this.device;
    if (sparedSid !== undefined && sparedSid === sid) return false;
    if (kind === 'jti') return jti === value;
    if (kind === 'sid') return sid === value;
    if (kind === 'grant') return grantId === value;
    if (issuedAt > effectiveAt) return false;
    if (kind === 'all') return true;
    if (kind === 'node') return `${userId} ${nodeId}` === value;
    if (kind === 'client') return clientId === value;
    if (kind === 'connection') return `${userId} ${clientId}` === value;
    return String(userId) === value;
  }

  #end(cause?: CloseCause): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#unregister();
    this.#settings.presence.recordDisconnection(this.device.deviceId);
    this.#settings.onEnd(this, cause);
  }

  #recordHeartbeat(): void {
    this.#settings.presence.recordConnectedHeartbeat(this.device.deviceId, this.#address);
  }

  /** Counts a message. @returns false when the connection is closed, or closes for a flood */
  #accept(): boolean {
    if (this.#hasEnded) return false;
    if (++this.#messages <= this.#settings.messagesMax) return true;
    this.close('flood', 'too many messages');
    return false;
  }

  #onPing(): void {
    if (this.#accept()) this.#recordHeartbeat();
  }

  #onMessage(data: RawData): void {
    if (!this.#accept()) return;
    if (!isHeartbeat(data)) this.close('badMessage', 'only {"type":"beat"} is understood');
    else if (this.#socket.bufferedAmount > UNSENT_MAX_BYTES) this.close('silent', UNREAD);
    else {
      this.#recordHeartbeat();
      this.#socket.send(HEARTBEAT, AS_TEXT);
    }
  }
}
