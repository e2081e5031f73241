/**
 * When devices were last heard. Beats gather in memory; each process writes them in one statement a second, however
 * many devices there are. The same statement adds the time spent online to the hours it fell in.
 */
import type { Database } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { offlineAfter_ms } from './device-status.ts';

const WRITE_EVERY_MS = 1000;
/** Rows of one statement: at 15,000 devices and 30 s a second brings 500. */
const BATCH_MAX = 5000;
/** Beats kept while the database does not answer; the oldest are of no use by then. */
const PENDING_MAX = 200_000;

/**
 * A span between two beats counts as online when it is no longer than the silence that makes a device offline. Beats
 * of a device that was cut off meanwhile are dropped. Whatever comes more than a minute after its hour is noted: no hour
 * is settled sooner.
 */
const WRITE = `with beat as (
    select b.device_id, b.heard_at, b.address from unnest($1::bigint[], $2::timestamptz[], $3::text[]) as b (device_id, heard_at, address)
      join device d on d.id = b.device_id and d.cut is null),
  heard as (
    insert into device_presence as p (device_id, heard_at, previous_at, address)
      select device_id, heard_at, heard_at, address from beat order by device_id
    on conflict (device_id) do update
      set previous_at = p.heard_at, heard_at = greatest(p.heard_at, excluded.heard_at), address = excluded.address
    returning p.device_id, p.previous_at, p.heard_at),
  -- Those who were silent for long, or never heard, are shown online now.
  risen as (
    insert into device_list as l (user_id, version)
      select distinct d.user_id, 1 from heard h join device d on d.id = h.device_id
      where h.heard_at - h.previous_at > make_interval(secs => $4) or h.heard_at = h.previous_at order by d.user_id
    on conflict (user_id) do update set version = l.version + 1),
  span as (
    select h.device_id, h.previous_at, h.heard_at from heard h
    where h.heard_at > h.previous_at and h.heard_at - h.previous_at <= make_interval(secs => $4)),
  counted as (
  insert into device_hour as t (device_id, hour, online_ms)
    select s.device_id, hour,
      round(extract(epoch from least(s.heard_at, hour + interval '1 hour') - greatest(s.previous_at, hour)) * 1000)::bigint
    from span s, generate_series(date_trunc('hour', s.previous_at, 'UTC'), s.heard_at, interval '1 hour') as hour
    where least(s.heard_at, hour + interval '1 hour') > greatest(s.previous_at, hour)
    order by s.device_id, hour
  on conflict (device_id, hour) do update set online_ms = t.online_ms + excluded.online_ms
  returning device_id, hour)
  insert into late_uptime as l (hour, device_id, changed_at)
    select hour, device_id, $5 from counted where hour < $5::timestamptz - interval '61 minutes' order by hour, device_id
  on conflict (hour, device_id) do update set changed_at = excluded.changed_at`;

interface Beat {
  readonly heardAt_ms: number;
  readonly address: string;
}

export interface Presence {
  /** Notes that a device was heard now. */
  heard(deviceId: number, address: string): void;
  /** When this process last heard a device, if a read may not see it yet. */
  heardLately(deviceId: number): Date | undefined;
  /** Writes what is pending. */
  flush(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export interface PresenceDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly heartbeatInterval_s: number;
  readonly onError: (error: unknown) => void;
}

export function createPresence({
  database,
  clock,
  heartbeatInterval_s,
  onError,
}: PresenceDeps): Presence {
  let pending = new Map<number, Beat>();
  /** Beats of the statement under way, and of the one before: a read that began earlier does not see them. */
  let writing: ReadonlyMap<number, Beat> = new Map();
  let written: ReadonlyMap<number, Beat> = new Map();
  let flushing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function writeOne(): Promise<void> {
    const batch = [...pending].slice(0, BATCH_MAX);
    for (const [id] of batch) pending.delete(id);
    writing = new Map(batch);
    try {
      await database.prepared('presence', WRITE, [
        batch.map(([id]) => id),
        batch.map(([, beat]) => new Date(beat.heardAt_ms)),
        batch.map(([, beat]) => beat.address),
        offlineAfter_ms(heartbeatInterval_s) / 1000,
        clock.now(),
      ]);
      written = writing;
    } catch (error) {
      if (pending.size < PENDING_MAX) pending = new Map([...writing, ...pending]);
      throw error;
    } finally {
      writing = new Map();
    }
  }

  /** One statement; what is left over waits for the next second. */
  function flush(): Promise<void> {
    if (pending.size === 0) return flushing ?? Promise.resolve();
    flushing ??= writeOne().finally(() => {
      flushing = undefined;
    });
    return flushing;
  }

  return {
    heard(deviceId, address) {
      pending.set(deviceId, { heardAt_ms: clock.now().getTime(), address });
    },
    heardLately(deviceId) {
      const beat = pending.get(deviceId) ?? writing.get(deviceId) ?? written.get(deviceId);
      return beat && new Date(beat.heardAt_ms);
    },
    flush,
    start() {
      timer = setInterval(() => void flush().catch(onError), WRITE_EVERY_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      await flushing?.catch(() => {});
      while (pending.size > 0) {
        try {
          await flush();
        } catch (error) {
          onError(error);
          return;
        }
      }
    },
  };
}
