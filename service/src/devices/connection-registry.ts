/**
 * Live connections of all nodes. Each process publishes what it holds in one statement a second at most, with a lease:
 * a process that is gone counts no more. Connecting reads what the others hold; a device that connects at another node
 * is let go here.
 */
import { randomUUID } from 'node:crypto';
import type { Database } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { CallingDevice } from './find-calling-device.ts';

const WRITE_EVERY_MS = 1000;
const RENEW_EVERY_MS = 5000;
const LEASE_MS = 15_000;
/** Rows of one statement; what is left over waits for the next second. */
const BATCH_MAX = 5000;
const TAKEN_CHANNEL = 'connection_taken';

/** The newer of two connections of a device wins, whichever node writes first; the loser's node hears of it. */
const WRITE = `with lease as (
    insert into connection_node as n (node, alive_until) values ($1, $2)
    on conflict (node) do update set alive_until = excluded.alive_until returning (xmax = 0) as is_new),
  fresh as (
    select * from unnest($4::bigint[], $5::bigint[], $6::text[], $7::timestamptz[]) as f (device_id, user_id, address, opened_at)),
  closed as (
    delete from live_connection where node = $1 and device_id = any ($3::bigint[])),
  opened as (
    insert into live_connection as l (device_id, user_id, address, node, opened_at)
      select device_id, user_id, address, $1, opened_at from fresh order by device_id
    on conflict (device_id) do update
      set user_id = excluded.user_id, address = excluded.address, node = excluded.node, opened_at = excluded.opened_at
      where l.node = excluded.node or l.opened_at <= excluded.opened_at),
  taken as (
    select pg_notify('${TAKEN_CHANNEL}', case when l.opened_at <= f.opened_at then l.node else $1 end || ' ' || l.device_id) as sent
    from live_connection l join fresh f using (device_id) where l.node <> $1)
  select is_new, (select count(sent) from taken) as taken from lease`;

const COUNT_OTHERS = `select count(*) filter (where l.user_id = $1) as of_user, count(*) filter (where l.address = $2) as at_address
  from live_connection l join connection_node n on n.node = l.node
  where (l.user_id = $1 or l.address = $2) and l.node <> $3 and n.alive_until > $4 and l.device_id <> $5`;

const LEAVE = `with gone as (delete from connection_node where node = $1) delete from live_connection where node = $1`;

const FORGET_DEAD = `with dead as (delete from connection_node where alive_until < $1 returning node)
  delete from live_connection where node in (select node from dead)`;

interface Held {
  readonly device: CallingDevice;
  readonly address: string;
  readonly openedAt: Date;
}

/** How many connections other nodes hold, not counting the device that asks. */
export interface OthersCount {
  readonly ofUser: number;
  readonly atAddress: number;
}

export interface ConnectionRegistry {
  /** Notes a connection; call the result when it ended. */
  opened(device: CallingDevice, address: string): () => void;
  /** What other nodes hold; zeros when the database does not answer, for a limit is no reason to keep devices out. */
  countOthers(device: CallingDevice, address: string): Promise<OthersCount>;
  flush(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface ConnectionRegistryDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** The device is connected at another node now. */
  readonly onTaken: (deviceId: number) => void;
  readonly onError: (error: unknown) => void;
}

export function createConnectionRegistry({ database, clock, onTaken, onError }: ConnectionRegistryDeps): ConnectionRegistry {
  const node = randomUUID();
  const held = new Map<number, Held>();
  let changed = new Set<number>();
  let renewedAt_ms = Number.NEGATIVE_INFINITY;
  let flushing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function write(): Promise<void> {
    const batch = [...changed].slice(0, BATCH_MAX);
    for (const id of batch) changed.delete(id);
    const fresh = batch.flatMap((id) => held.get(id) ?? []);
    const now_ms = clock.now().getTime();
    try {
      const { rows } = await database.prepared<{ is_new: boolean }>('live-connections', WRITE, [
        node,
        new Date(now_ms + LEASE_MS),
        batch.filter((id) => !held.has(id)),
        fresh.map(({ device }) => device.deviceId),
        fresh.map(({ device }) => device.userId),
        fresh.map(({ address }) => address),
        fresh.map(({ openedAt }) => openedAt),
      ]);
      renewedAt_ms = now_ms;
      // Nobody knew this process: it is new, or the database lost what is not logged.
      if (rows[0]?.is_new) changed = new Set([...held.keys(), ...changed].filter((id) => !batch.includes(id)));
    } catch (error) {
      changed = new Set([...batch, ...changed]);
      throw error;
    }
  }

  function flush(): Promise<void> {
    flushing ??= write().finally(() => {
      flushing = undefined;
    });
    return flushing;
  }

  /** A process that holds nothing and has nothing to say needs no lease. */
  function isDue(): boolean {
    return changed.size > 0 || (held.size > 0 && clock.now().getTime() - renewedAt_ms >= RENEW_EVERY_MS);
  }

  function onNotification(payload: string): void {
    const [loser, deviceId] = payload.split(' ');
    if (loser === node && held.has(Number(deviceId))) onTaken(Number(deviceId));
  }

  return {
    opened(device, address) {
      const entry: Held = { device, address, openedAt: clock.now() };
      held.set(device.deviceId, entry);
      changed.add(device.deviceId);
      return () => {
        if (held.get(device.deviceId) !== entry) return;
        held.delete(device.deviceId);
        changed.add(device.deviceId);
      };
    },
    async countOthers({ userId, deviceId }, address) {
      try {
        const values = [userId, address, node, clock.now(), deviceId];
        const { rows } = await database.prepared<{ of_user: number; at_address: number }>('others-connections', COUNT_OTHERS, values);
        return { ofUser: rows[0]?.of_user ?? 0, atAddress: rows[0]?.at_address ?? 0 };
      } catch (error) {
        onError(error);
        return { ofUser: 0, atAddress: 0 };
      }
    },
    flush,
    async start() {
      await database.listen(TAKEN_CHANNEL, onNotification);
      timer = setInterval(() => {
        if (isDue()) void flush().catch(onError);
      }, WRITE_EVERY_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      await flushing?.catch(() => {});
      await database.query(LEAVE, [node]).catch(onError);
    },
  };
}

/** Removes processes whose lease ended a minute ago, with what they held; called by a job. */
export async function forgetDeadNodes(database: Database, clock: Clock): Promise<void> {
  await database.query(FORGET_DEAD, [new Date(clock.now().getTime() - 60_000)]);
}
