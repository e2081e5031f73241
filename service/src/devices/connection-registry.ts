/**
 * Live connections of all instances, and how many a user and a network address may have. Each
 * instance publishes its connections at most once a second, in one statement, with a lease; after
 * the lease they no longer count. A connection that has to end, because the device connected again
 * or because a limit is exceeded, is announced on one channel; the instance that holds it closes
 * it.
 */
import { randomUUID } from 'node:crypto';
import { type Database, execute } from '../db/index.ts';
import { rateLimitError } from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import {
  ENFORCE_LIMITS,
  EVICTED_CHANNEL,
  LEASE_MS,
  LEAVE_REGISTRY,
  NEXT_NUMBERS,
  PUBLISH_CONNECTIONS,
  RESERVE_CONNECTION,
} from './connection-statements.ts';
import { REPLACED } from './device-socket.ts';
import type { CallingDevice } from './find-calling-device.ts';
import { type LocalConnection, LocalConnections } from './local-connections.ts';

const PUBLISH_INTERVAL_MS = 1000;
const RENEW_INTERVAL_MS = 5000;
/** Rows of one statement; the others wait for the next second. */
const PUBLISHED_MAX = 5000;
/** The end of another connection cannot be predicted. */
const FULL_RETRY_S = 30;

/** What other instances hold, without the device itself. */
export interface OtherConnections {
  readonly ofUser: number;
  readonly atAddress: number;
}

export interface Reservation {
  readonly number: number | undefined;
  readonly others: OtherConnections;
}

const LIMIT_TEXTS = {
  user: 'The limit of your live connections is reached',
  address: 'The limit of live connections from your network address is reached',
} as const;
type LimitKind = keyof typeof LIMIT_TEXTS;

export interface ConnectionRegistryOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly limits: Readonly<Record<LimitKind, number>>;
  /** The connection of the device on this instance has to end. */
  readonly onEvicted: (deviceId: number, cause: 'replaced' | 'limit', text: string) => void;
  readonly onError: (error: unknown) => void;
  /** Writes when devices were last heard, before a connection that ended is no longer published. */
  readonly writePresence: () => Promise<void>;
}

export class ConnectionRegistry {
  readonly #options: ConnectionRegistryOptions;
  readonly #instance = randomUUID();
  readonly #local = new LocalConnections();
  #unpublished = new Set<number>();
  #publishing: readonly number[] = [];
  /** Published, but the limits are not enforced for them yet. */
  #unchecked: LocalConnection[] = [];
  #renewedAt_ms = Number.NEGATIVE_INFINITY;
  #flushing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ConnectionRegistryOptions) {
    this.#options = options;
  }

  /**
   * Reads what other instances hold before a connection opens: zeros when the database does not
   * answer, because a limit is no reason to keep devices out.
   */
  async reserve({ userId, deviceId }: CallingDevice, address: string): Promise<Reservation> {
    const { database, clock, onError } = this.#options;
    try {
      const { rows } = await execute<{ number: number; of_user: number; at_address: number }>(
        database,
        RESERVE_CONNECTION,
        {
          user_id: userId,
          address,
          instance: this.#instance,
          now: clock.now(),
          moved: [deviceId, ...this.#localUnpublished(userId, address)],
        },
      );
      const [row] = rows;
      return {
        number: row?.number,
        others: { ofUser: row?.of_user ?? 0, atAddress: row?.at_address ?? 0 },
      };
    } catch (error) {
      onError(error);
      return { number: undefined, others: { ofUser: 0, atAddress: 0 } };
    }
  }

  /** @throws `connection_limit`; a device that connects again takes its own place */
  assertWithinLimits(device: CallingDevice, address: string, others: OtherConnections): void {
    const own = this.#local.get(device.deviceId);
    const ofUser = this.#local.countOfUser(device.userId) - (own ? 1 : 0);
    const atAddress = this.#local.countAtAddress(address) - (own?.address === address ? 1 : 0);
    this.#assertWithinLimit('user', ofUser + others.ofUser);
    this.#assertWithinLimit('address', atAddress + others.atAddress);
  }

  /** Adds an open connection; call the result when it ends. */
  register(device: CallingDevice, address: string, number: number | undefined): () => void {
    const { deviceId } = device;
    const older = this.#local.get(deviceId)?.number;
    // Of two that open here at once, the one that opened last stays, whichever reserved first.
    const highest = number === undefined ? undefined : Math.max(number, older ?? number);
    const connection = { device, address, number: highest };
    this.#local.set(connection);
    this.#unpublished.add(deviceId);
    return () => {
      if (this.#local.delete(connection)) this.#unpublished.add(deviceId);
    };
  }

  /** Publishes what changed, and enforces the limits for it. */
  flush(): Promise<void> {
    this.#flushing ??= this.#publish()
      .then(() => this.#enforceLimits())
      .finally(() => {
        this.#flushing = undefined;
      });
    return this.#flushing;
  }

  async start(): Promise<void> {
    const { database, onError } = this.#options;
    await database.listen(EVICTED_CHANNEL, (payload) => this.#onEvicted(payload));
    this.#timer = setInterval(() => {
      if (this.#isDue()) this.flush().catch(onError);
    }, PUBLISH_INTERVAL_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#flushing?.catch(() => {});
    const { database, onError } = this.#options;
    await execute(database, LEAVE_REGISTRY, { instance: this.#instance }).catch(onError);
  }

  #limitText(kind: LimitKind): string {
    return `${LIMIT_TEXTS[kind]}: ${this.#options.limits[kind]}`;
  }

  #assertWithinLimit(kind: LimitKind, count: number): void {
    const hits = this.#options.limits[kind];
    if (count < hits) return;
    throw rateLimitError(
      { name: `connections-${kind}`, hits },
      FULL_RETRY_S,
      `${this.#limitText(kind)}.`,
      'connection_limit',
    );
  }

  /** Devices of this user or address that moved here, but are not published yet. */
  #localUnpublished(userId: number, address: string): number[] {
    return [...this.#publishing, ...this.#unpublished].filter((id) => {
      const connection = this.#local.get(id);
      return connection?.device.userId === userId || connection?.address === address;
    });
  }

  /** An instance without connections and without changes needs no lease. */
  #isDue(): boolean {
    const age_ms = this.#options.clock.now().getTime() - this.#renewedAt_ms;
    return (
      this.#unpublished.size > 0 ||
      this.#unchecked.length > 0 ||
      (this.#local.size > 0 && age_ms >= RENEW_INTERVAL_MS)
    );
  }

  /** Numbers connections that opened while the database did not answer. */
  async #assignMissingNumbers(opened: readonly LocalConnection[]): Promise<void> {
    const missing = opened.filter(({ number }) => number === undefined);
    if (missing.length === 0) return;
    const { rows } = await execute<{ number: number }>(this.#options.database, NEXT_NUMBERS, {
      count: missing.length,
    });
    for (const [i, connection] of missing.entries()) connection.number = rows[i]?.number;
  }

  async #publish(): Promise<void> {
    const { database, clock, writePresence } = this.#options;
    const ids = [...this.#unpublished].slice(0, PUBLISHED_MAX);
    for (const id of ids) this.#unpublished.delete(id);
    this.#publishing = ids;
    if (ids.some((id) => !this.#local.get(id))) await writePresence();
    const opened = ids.flatMap((id) => this.#local.get(id) ?? []);
    const now_ms = clock.now().getTime();
    try {
      await this.#assignMissingNumbers(opened);
      const { rows } = await execute<{ is_new: boolean }>(database, PUBLISH_CONNECTIONS, {
        instance: this.#instance,
        alive_until: new Date(now_ms + LEASE_MS),
        connections: this.#local.size,
        closed: ids.filter((id) => !this.#local.get(id)),
        device_ids: opened.map(({ device }) => device.deviceId),
        user_ids: opened.map(({ device }) => device.userId),
        addresses: opened.map(({ address }) => address),
        numbers: opened.map(({ number }) => number),
      });
      this.#renewedAt_ms = now_ms;
      this.#unchecked.push(...opened);
      // The instance has just started, or the database lost its unlogged tables.
      if (rows[0]?.is_new)
        for (const id of this.#local.deviceIds()) if (!ids.includes(id)) this.#unpublished.add(id);
    } catch (error) {
      this.#unpublished = new Set([...ids, ...this.#unpublished]);
      throw error;
    } finally {
      this.#publishing = [];
    }
  }

  async #enforceLimits(): Promise<void> {
    if (this.#unchecked.length === 0) return;
    const { database, clock, limits } = this.#options;
    await execute(database, ENFORCE_LIMITS, {
      now: clock.now(),
      user_ids: this.#unchecked.map(({ device }) => device.userId),
      addresses: this.#unchecked.map(({ address }) => address),
      user_max: limits.user,
      address_max: limits.address,
    });
    this.#unchecked = [];
  }

  /** A connection with a higher number is newer than the announcement, and stays. */
  #onEvicted(payload: string): void {
    const [instance, id, highest, cause] = payload.split(' ');
    const deviceId = Number(id);
    const number = this.#local.get(deviceId)?.number;
    if (instance !== this.#instance || number === undefined || number > Number(highest)) return;
    if (cause === 'user' || cause === 'address')
      this.#options.onEvicted(deviceId, 'limit', this.#limitText(cause));
    else this.#options.onEvicted(deviceId, 'replaced', REPLACED);
  }
}
