/**
 * The live connections of this instance. One timer serves all of them: each is pinged once per
 * heartbeat interval, in a second of its own.
 */
import { WebSocketServer } from 'ws';
import { describeRevocation, type Revocation } from '../identity/index.ts';
import type { Clock } from '../lib/clock.ts';
import { SUBPROTOCOL } from './connect-ticket.ts';
import {
  type ConnectionPresence,
  type ConnectionSettings,
  DeviceConnection,
  type NewConnection,
} from './device-connection.ts';
import {
  CLOSE_CODES,
  type CloseCause,
  DeviceSocket,
  FRAME_MAX_BYTES,
  REPLACED,
} from './device-socket.ts';
import { DEVICE_REVOCATIONS } from './revoke-device.ts';

const TICK_MS = 1000;

export interface LiveConnectionsOptions {
  readonly clock: Clock;
  readonly presence: ConnectionPresence;
  readonly heartbeatInterval_s: number;
  readonly messagesPerSecond: number;
}

export interface ConnectionStats {
  readonly open: number;
  /** How many this instance closed itself, by cause. */
  readonly closed: Readonly<Record<string, number>>;
}

export class LiveConnections {
  readonly #clock: Clock;
  readonly #settings: ConnectionSettings;
  readonly #byDevice = new Map<number, DeviceConnection>();
  readonly #closed = Object.fromEntries(
    Object.keys(CLOSE_CODES).map((cause) => [cause, 0]),
  ) as Record<CloseCause, number>;
  readonly #server = new WebSocketServer<typeof DeviceSocket>({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: FRAME_MAX_BYTES,
    WebSocket: DeviceSocket,
    handleProtocols: (protocols) =>
      protocols.has(SUBPROTOCOL) ? SUBPROTOCOL : ([...protocols][0] ?? false),
  });
  #tick = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LiveConnectionsOptions) {
    const { clock, presence, heartbeatInterval_s, messagesPerSecond } = options;
    this.#clock = clock;
    this.#settings = {
      presence,
      heartbeatInterval_s,
      messagesMax: messagesPerSecond * heartbeatInterval_s,
      onEnd: (connection, cause) => {
        const { deviceId } = connection.device;
        if (this.#byDevice.get(deviceId) === connection) this.#byDevice.delete(deviceId);
        if (cause) this.#closed[cause]++;
      },
    };
  }

  /** Opens the connection, or refuses the handshake, before it returns. */
  accept(connection: NewConnection): void {
    const { request, socket, head, device } = connection;
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      const opened = new DeviceConnection(webSocket, connection, this.#settings);
      this.evict(device.deviceId, 'replaced', REPLACED);
      this.#byDevice.set(device.deviceId, opened);
      opened.open(this.#clock.now());
    });
  }

  /** Closes the connections that a revocation affects. */
  handleRevocation(revocation: Revocation): void {
    const cause = DEVICE_REVOCATIONS.has(revocation.reason) ? 'disconnected' : 'unauthorised';
    const text = describeRevocation(revocation.reason);
    for (const connection of this.#byDevice.values())
      if (connection.isAffectedBy(revocation)) connection.close(cause, text);
  }

  /** Closes the connection of a device, if there is one. */
  evict(deviceId: number, cause: CloseCause, text: string): void {
    this.#byDevice.get(deviceId)?.close(cause, text);
  }

  stats(): ConnectionStats {
    return { open: this.#byDevice.size, closed: { ...this.#closed } };
  }

  start(): void {
    this.#timer = setInterval(() => this.#onTick(), TICK_MS).unref();
  }

  /** Closes all connections; the devices connect to another instance. */
  stop(): void {
    clearInterval(this.#timer);
    for (const connection of this.#byDevice.values())
      connection.close('restart', 'the service restarts');
  }

  #onTick(): void {
    const { heartbeatInterval_s } = this.#settings;
    const tick = ++this.#tick;
    const now = this.#clock.now();
    for (const connection of this.#byDevice.values()) {
      if (connection.expiresAt <= now) connection.close('unauthorised', 'the token expired');
      else if (connection.device.deviceId % heartbeatInterval_s === tick % heartbeatInterval_s)
        connection.ping(String(tick));
    }
  }
}
