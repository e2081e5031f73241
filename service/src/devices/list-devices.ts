/**
 * The list of a user's devices as JSON. Reading a thousand devices takes much longer than sending
 * them, so each instance caches a list for at most a second: not beyond the moment at which a
 * device becomes offline, nor after a change on any instance, which increments the version of the
 * list.
 */
import type { Db } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { stringifyExact } from '../lib/exact-json.ts';
import { readListVersion } from './device-list-version.ts';
import { offlineAfter_ms } from './device-status.ts';
import { type LastHeard, listDeviceRows, toDevice } from './queries.ts';

const CACHED_MS = 1000;
/** Bytes of all cached lists. */
const CACHE_MAX_BYTES = 64 * 1024 * 1024;

interface CachedList {
  readonly version: number;
  readonly body: Buffer;
  readonly expiresAt_ms: number;
}

export interface DeviceListOptions {
  readonly database: Db;
  readonly clock: Clock;
  readonly heartbeatInterval_s: number;
  readonly lastHeard: LastHeard;
}

export class DeviceList {
  readonly #options: DeviceListOptions;
  readonly #cache = new Map<string, CachedList>();
  #cachedBytes = 0;

  constructor(options: DeviceListOptions) {
    this.#options = options;
  }

  /** The JSON of `DeviceListVO`. */
  async read(userId: number, amountsAsStrings: boolean): Promise<Buffer> {
    const { database, clock } = this.#options;
    const key = `${userId} ${amountsAsStrings}`;
    // Read before the rows: at worst the list is newer than its version, and is read again.
    const version = await readListVersion(database, userId);
    const cached = this.#cache.get(key);
    if (cached?.version === version && clock.now().getTime() < cached.expiresAt_ms)
      return cached.body;
    const list = { version, ...(await this.#build(userId, amountsAsStrings)) };
    this.#delete(key);
    if (this.#cachedBytes + list.body.length > CACHE_MAX_BYTES) {
      this.#cache.clear();
      this.#cachedBytes = 0;
    }
    this.#cache.set(key, list);
    this.#cachedBytes += list.body.length;
    return list.body;
  }

  /** A device of this user was heard: the cached list may show it as offline. */
  invalidate(userId: number): void {
    for (const amountsAsStrings of [true, false]) this.#delete(`${userId} ${amountsAsStrings}`);
  }

  #delete(key: string): void {
    this.#cachedBytes -= this.#cache.get(key)?.body.length ?? 0;
    this.#cache.delete(key);
  }

  async #build(
    userId: number,
    amountsAsStrings: boolean,
  ): Promise<Pick<CachedList, 'body' | 'expiresAt_ms'>> {
    const { database, clock, heartbeatInterval_s, lastHeard } = this.#options;
    const rows = await listDeviceRows(database, userId, false);
    const now = clock.now();
    const devices = rows.map((row) => toDevice(row, { now, heartbeatInterval_s }, lastHeard));
    const offline = devices
      .filter(({ status }) => status === 'online')
      .map((device) => Date.parse(device.last_seen_at) + offlineAfter_ms(heartbeatInterval_s));
    return {
      body: Buffer.from(stringifyExact({ devices }, amountsAsStrings)),
      expiresAt_ms: Math.min(now.getTime() + CACHED_MS, ...offline),
    };
  }
}
