/**
 * The list of a person's devices, ready to send. Reading a thousand devices and making JSON of them takes much longer
 * than sending it, and hardly anything of it changes. So each process keeps, while the version in the database stands
 * still, the JSON of each device without what time changes: making the list anew reads only when they were last heard.
 * The whole is kept too, for at most a second, and never beyond the moment at which silence makes a device offline.
 * Every request asks for the version, so a change that is committed anywhere is shown at once.
 */
import type { Db } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { stringifyExact } from '../lib/exact-json.ts';
import { readListVersion } from './device-list-version.ts';
import { offlineAfter_ms, type StatusFacts } from './device-status.ts';
import {
  describeDevice,
  describePresence,
  type HeardLately,
  latestHeard,
  listDeviceRows,
  readHeard,
} from './queries.ts';

/** What is heard is written once a second; a list may be as old. */
const KEEP_MS = 1000;
/** Characters of all kept lists together. */
const KEPT_MAX = 64 * 1024 * 1024;

/** A device: its JSON but for the end, and what the end is made of. */
interface Part extends StatusFacts {
  readonly id: number;
  readonly created_at: Date;
  readonly json: string;
}

interface Kept {
  readonly version: number;
  readonly parts: readonly Part[];
  readonly size: number;
  /** The whole, and until when it may be sent. */
  body: Buffer;
  until_ms: number;
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

async function readParts(db: Db, userId: number, amountsAsStrings: boolean): Promise<Part[]> {
  const rows = await listDeviceRows(db, userId, false);
  return rows.map((row) => {
    const { id, cut, cut_reason, cut_at, bound_at, heard_at, created_at } = row;
    const json = stringifyExact(describeDevice(row), amountsAsStrings).slice(0, -1);
    return { id, cut, cut_reason, cut_at, bound_at, heard_at, created_at, json };
  });
}

export function createDeviceList({
  database,
  clock,
  heartbeatInterval_s,
  heardLately,
}: DeviceListDeps): DeviceList {
  const kept = new Map<string, Kept>();
  let size = 0;

  function keep(key: string, entry: Kept): void {
    size -= kept.get(key)?.size ?? 0;
    kept.delete(key);
    if (size + entry.size > KEPT_MAX) {
      kept.clear();
      size = 0;
    }
    if (entry.size > KEPT_MAX) return;
    kept.set(key, entry);
    size += entry.size;
  }

  /** The whole list now, and until when it may be sent. */
  function compose(
    parts: readonly Part[],
    heard: (part: Part) => Date | null,
  ): Pick<Kept, 'body' | 'until_ms'> {
    const now = clock.now();
    let until_ms = now.getTime() + KEEP_MS;
    const devices = parts.map((part) => {
      const heard_at = latestHeard(heard(part), heardLately(part.id));
      const presence = describePresence({ ...part, heard_at }, { now, heartbeatInterval_s });
      if (presence.status === 'online' && heard_at !== null)
        until_ms = Math.min(until_ms, heard_at.getTime() + offlineAfter_ms(heartbeatInterval_s));
      return `${part.json},${JSON.stringify(presence).slice(1)}`;
    });
    return { body: Buffer.from(`{"devices":[${devices.join(',')}]}`), until_ms };
  }

  async function makeAnew(known: Kept): Promise<Buffer> {
    const heard = await readHeard(
      database,
      known.parts.map((part) => part.id),
    );
    Object.assign(
      known,
      compose(known.parts, (part) => heard.get(part.id) ?? null),
    );
    return known.body;
  }

  return {
    async read(userId, amountsAsStrings) {
      const key = `${userId} ${amountsAsStrings}`;
      const version = await readListVersion(database, userId);
      const known = kept.get(key);
      if (known?.version === version)
        return clock.now().getTime() < known.until_ms ? known.body : makeAnew(known);
      // The version was read before the rows: at worst the list is newer than it says, and made again.
      const parts = await readParts(database, userId, amountsAsStrings);
      const whole = compose(parts, (part) => part.heard_at);
      keep(key, { version, parts, size: 2 * whole.body.length, ...whole });
      return whole.body;
    },
    forget(userId) {
      for (const entry of [kept.get(`${userId} true`), kept.get(`${userId} false`)])
        if (entry) entry.until_ms = 0;
    },
  };
}
