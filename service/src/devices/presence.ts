/**
 * When devices were last heard. Heartbeats gather in memory; each instance writes them once a
 * second in one statement, however many devices there are. The same statement adds the time online
 * to the hours it belongs to.
 */
import { type Database, defineStatement, execute } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { offlineAfter_ms } from './device-status.ts';

const WRITE_INTERVAL_MS = 1000;
/** Rows of one statement: at 15,000 devices and 30 s a second brings 500. */
const WRITTEN_MAX = 5000;
/** Heartbeats that wait while the database does not answer; beyond it they are dropped. */
const PENDING_MAX = 200_000;

/**
 * The time between two heartbeats counts as online if it is no longer than the silence after which
 * a device is offline. Heartbeats of revoked devices are dropped. Usage that is added more than a
 * minute after its hour is recorded in late_uptime: no hour is settled sooner.
 */
const WRITE_HEARTBEATS = defineStatement(
  'presence-write',
  `with heartbeat as (
     select h.device_id, h.heard_at, h.address
     from unnest(:device_ids::bigint[], :heard_at::timestamptz[], :addresses::text[])
       as h (device_id, heard_at, address)
     join device d on d.id = h.device_id and d.cut is null),
   heard as (
     insert into device_presence as p (device_id, heard_at, previous_at, address)
       select device_id, heard_at, heard_at, address from heartbeat order by device_id
     on conflict (device_id) do update set previous_at = p.heard_at,
       heard_at = greatest(p.heard_at, excluded.heard_at), address = excluded.address
     returning p.device_id, p.previous_at, p.heard_at),
   -- Devices that were offline, or never heard, are online now.
   came_online as (
     insert into device_list as l (user_id, version)
       select distinct d.user_id, 1 from heard h join device d on d.id = h.device_id
       where h.heard_at - h.previous_at > make_interval(secs => :offline_after_s)
         or h.heard_at = h.previous_at
       order by d.user_id
     on conflict (user_id) do update set version = l.version + 1),
   span as (
     select h.device_id, h.previous_at, h.heard_at from heard h
     where h.heard_at > h.previous_at
       and h.heard_at - h.previous_at <= make_interval(secs => :offline_after_s)),
   part as (
     select s.device_id, hour, greatest(s.previous_at, hour) as begins_at,
       least(s.heard_at, hour + interval '1 hour') as ends_at
     from span s, generate_series(date_trunc('hour', s.previous_at, 'UTC'), s.heard_at,
       interval '1 hour') as hour),
   counted as (
     insert into device_hour as t (device_id, hour, online_ms)
       select device_id, hour, round(extract(epoch from ends_at - begins_at) * 1000)::bigint
       from part where ends_at > begins_at order by device_id, hour
     on conflict (device_id, hour) do update set online_ms = t.online_ms + excluded.online_ms
     returning device_id, hour)
   insert into late_uptime as l (hour, device_id, changed_at)
     select hour, device_id, :now from counted
     where hour < :now::timestamptz - interval '61 minutes' order by hour, device_id
   on conflict (hour, device_id) do update set changed_at = excluded.changed_at`,
);

interface Heartbeat {
  readonly at: Date;
  readonly address: string;
}
type Heartbeats = ReadonlyMap<number, Heartbeat>;

export interface PresenceOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly heartbeatInterval_s: number;
  readonly onError: (error: unknown) => void;
}

export class Presence {
  readonly #options: PresenceOptions;
  #pending = new Map<number, Heartbeat>();
  /** Of the statement under way and of the last one: a read that began earlier misses them. */
  #writing: Heartbeats = new Map();
  #written: Heartbeats = new Map();
  #flushing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: PresenceOptions) {
    this.#options = options;
  }

  /** Records that a device was heard now. */
  recordHeartbeat(deviceId: number, address: string): void {
    this.#pending.set(deviceId, { at: this.#options.clock.now(), address });
  }

  /** When this instance last heard a device, if a read may not see it yet. */
  pendingHeartbeat(deviceId: number): Date | undefined {
    const heartbeats: readonly Heartbeats[] = [this.#pending, this.#writing, this.#written];
    return heartbeats.find((map) => map.has(deviceId))?.get(deviceId)?.at;
  }

  /** Writes one statement; the other heartbeats wait for the next second. */
  flush(): Promise<void> {
    if (this.#pending.size === 0) return this.#flushing ?? Promise.resolve();
    this.#flushing ??= this.#write().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  start(): void {
    const { onError } = this.#options;
    this.#timer = setInterval(() => void this.flush().catch(onError), WRITE_INTERVAL_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    try {
      await this.#flushing?.catch(() => {});
      while (this.#pending.size > 0) await this.flush();
    } catch (error) {
      this.#options.onError(error);
    }
  }

  async #write(): Promise<void> {
    const { database, clock, heartbeatInterval_s } = this.#options;
    const batch = [...this.#pending].slice(0, WRITTEN_MAX);
    for (const [id] of batch) this.#pending.delete(id);
    this.#writing = new Map(batch);
    try {
      await execute(database, WRITE_HEARTBEATS, {
        device_ids: batch.map(([id]) => id),
        heard_at: batch.map(([, heartbeat]) => heartbeat.at),
        addresses: batch.map(([, heartbeat]) => heartbeat.address),
        offline_after_s: offlineAfter_ms(heartbeatInterval_s) / 1000,
        now: clock.now(),
      });
      this.#written = this.#writing;
    } catch (error) {
      if (this.#pending.size < PENDING_MAX)
        this.#pending = new Map([...this.#writing, ...this.#pending]);
      throw error;
    } finally {
      this.#writing = new Map();
    }
  }
}
