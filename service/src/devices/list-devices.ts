/**
 * The list of a person's devices, ready to send. Making it of a thousand devices takes much longer than sending it, so
 * each process keeps what it made: while the version in the database stands still, for at most a second, and never
 * beyond the moment at which silence makes a device offline. Every request asks for the version, so a change that is
 * committed anywhere is shown at once.
 */
import type { Db } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { stringifyExact } from '../lib/exact-json.ts';
import { silenceLimit_ms } from './device-status.ts';
import { readListVersion } from './list-version.ts';
import { type HeardLately, listDeviceRows, toDevice } from './queries.ts';

/** What is heard is written once a second; a list may be as old. */
const KEEP_MS = 1000;
/** Characters of all kept lists together. */
const KEPT_MAX = 64 * 1024 * 1024;

interface Kept {
  readonly version: number;
  readonly until_ms: number;
  readonly body: Buffer;
}

export interface DeviceList {
  /** The JSON of `DeviceListVO`. */
  read(userId: number, amountsAsStrings: boolean): Promise<Buffer>;
  /** A device of this person was heard: what is kept may show it offline. */
  forget(userId: number): void;
}

export interface DeviceListDeps {
  readonly database: Db;
  readonly clock: Clock;
  readonly heartbeatInterval_s: number;
  readonly heardLately: HeardLately;
}

export function createDeviceList({ database, clock, heartbeatInterval_s, heardLately }: DeviceListDeps): DeviceList {
  const kept = new Map<string, Kept>();
  let size = 0;

  function drop(key: string): void {
    size -= kept.get(key)?.body.length ?? 0;
    kept.delete(key);
  }

  function keep(key: string, entry: Kept): void {
    drop(key);
    if (size + entry.body.length > KEPT_MAX) {
      kept.clear();
      size = 0;
    }
    if (entry.body.length > KEPT_MAX) return;
    kept.set(key, entry);
    size += entry.body.length;
  }

  async function make(userId: number, version: number, amountsAsStrings: boolean): Promise<Kept> {
    const rows = await listDeviceRows(database, userId, false);
    const now = clock.now();
    const devices = rows.map((row) => toDevice(row, { now, heartbeatInterval_s }, heardLately));
    let until_ms = now.getTime() + KEEP_MS;
    for (const device of devices)
      if (device.status === 'online') until_ms = Math.min(until_ms, Date.parse(device.last_seen_at) + silenceLimit_ms(heartbeatInterval_s));
    return { version, until_ms, body: Buffer.from(stringifyExact({ devices }, amountsAsStrings)) };
  }

  return {
    async read(userId, amountsAsStrings) {
      const key = `${userId} ${amountsAsStrings}`;
      const version = await readListVersion(database, userId);
      const known = kept.get(key);
      if (known && known.version === version && clock.now().getTime() < known.until_ms) return known.body;
      // The version was read before the rows: at worst the list is newer than it says, and made again.
      const entry = await make(userId, version, amountsAsStrings);
      keep(key, entry);
      return entry.body;
    },
    forget(userId) {
      drop(`${userId} true`);
      drop(`${userId} false`);
    },
  };
}
