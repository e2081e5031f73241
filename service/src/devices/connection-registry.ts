/**
 * Live connections of all nodes. Each process publishes what it holds in one statement a second at most, with a lease:
 * a process that is gone counts no more. Connecting reads what the others hold; a device that connects at another node
 * is let go here.
 */
import { randomUUID } from 'node:crypto';
import type { Database } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { createConnectionExcess, type LimitKind } from './enforce-connection-limits.ts';
import type { CallingDevice } from './find-calling-device.ts';

const WRITE_EVERY_MS = 1000;
const RENEW_EVERY_MS = 5000;
const LEASE_MS = 15_000;
/** Rows of one statement; what is left over waits for the next second. */
const BATCH_MAX = 5000;
const TAKEN_CHANNEL = 'connection_taken';

/**
 * The newer of two connections of a device wins, whichever node writes first; the loser's node hears of it. What loses is
 * told from the row that was there at last, so that two nodes that write at once do not miss each other.
 */
const WRITE = `with lease as (
    insert into connection_node as n (node, alive_until) values ($1, $2)
    on conflict (node) do update set alive_until = excluded.alive_until returning (xmax = 0) as is_new),
  fresh as (
    select * from unnest($4::bigint[], $5::bigint[], $6::text[], $7::bigint[]) as f (device_id, user_id, address, number)),
  closed as (
    delete from live_connection where node = $1 and device_id = any ($3::bigint[])),
  opened as (
    insert into live_connection as l (device_id, user_id, address, node, number)
      select device_id, user_id, address, $1, number from fresh order by device_id
    on conflict (device_id) do update set
      user_id = case when l.number <= excluded.number then excluded.user_id else l.user_id end,
      address = case when l.number <= excluded.number then excluded.address else l.address end,
      node = case when l.number <= excluded.number then excluded.node else l.node end,
      number = greatest(l.number, excluded.number),
      loser = case when l.number <= excluded.number then l.node else excluded.node end
    returning device_id, node, number, loser),
  taken as (
    select pg_notify('${TAKEN_CHANNEL}', loser || ' ' || device_id || ' ' || number) as sent from opened where loser <> node)
  select is_new, (select count(sent) from taken) as taken from lease`;

/**
 * The number of the connection that opens, and what other nodes hold beside it. Devices that came here since the last
 * write are still noted there: they count here.
 */
const OPENING = `select nextval('live_connection_number') as number, count(*) filter (where l.user_id = $1) as of_user,
    count(*) filter (where l.address = $2) as at_address
  from live_connection l join connection_node n on n.node = l.node
  where (l.user_id = $1 or l.address = $2) and l.node <> $3 and n.alive_until > $4 and l.device_id <> all ($5::bigint[])`;

const NEXT_NUMBERS = `select nextval('live_connection_number') as number from generate_series(1, $1)`;

const LEAVE = `with gone as (delete from connection_node where node = $1) delete from live_connection where node = $1`;

const FORGET_DEAD = `with dead as (delete from connection_node where alive_until < $1 returning node)
  delete from live_connection where node in (select node from dead)`;

interface Held {
  readonly device: CallingDevice;
  readonly address: string;
  /** Unknown while the database does not answer. */
  number: number | undefined;
}

/** What the database says of a connection that is about to open. */
export interface Opening {
  /** Later connections of a device have higher numbers; undefined when the database did not answer. */
  readonly number: number | undefined;
  /** How many connections other nodes hold, not counting the device that asks. */
  readonly others: OthersCount;
}

export interface OthersCount {
  readonly ofUser: number;
  readonly atAddress: number;
}

export interface ConnectionRegistry {
  /** Asked before a connection opens. Zeros when the database does not answer: a limit is no reason to keep devices out. */
  opening(device: CallingDevice, address: string): Promise<Opening>;
  /** Notes a connection; call the result when it ended. */
  opened(device: CallingDevice, address: string, number: number | undefined): () => void;
  flush(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface ConnectionRegistryDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** The device is connected at another node now. */
  readonly onTaken: (deviceId: number) => void;
  /** With what other nodes let in at the same time, the device's connection here is one too many. */
  readonly onExcess: (deviceId: number, kind: LimitKind) => void;
  readonly limits: { readonly perUser: number; readonly perAddress: number };
  readonly onError: (error: unknown) => void;
}

export function createConnectionRegistry({
  database,
  clock,
  onTaken,
  onExcess,
  limits,
  onError,
}: ConnectionRegistryDeps): ConnectionRegistry {
  const node = randomUUID();
  const excess = createConnectionExcess({ database, clock, ...limits });
  const held = new Map<number, Held>();
  let changed = new Set<number>();
  let writing: readonly number[] = [];
  let renewedAt_ms = Number.NEGATIVE_INFINITY;
  let flushing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** Numbers those that came while the database was away. */
  async function numberLate(fresh: readonly Held[]): Promise<void> {
    const unknown = fresh.filter(({ number }) => number === undefined);
    if (unknown.length === 0) return;
    const { rows } = await database.query<{ number: number }>(NEXT_NUMBERS, [unknown.length]);
    for (const [i, entry] of unknown.entries()) entry.number = rows[i]?.number;
  }

  async function write(): Promise<void> {
    const batch = [...changed].slice(0, BATCH_MAX);
    for (const id of batch) changed.delete(id);
    writing = batch;
    const fresh = batch.flatMap((id) => held.get(id) ?? []);
    const gone = batch.filter((id) => !held.has(id));
    const now_ms = clock.now().getTime();
    try {
      await numberLate(fresh);
      const { rows } = await database.prepared<{ is_new: boolean }>('live-connections', WRITE, [
        node,
        new Date(now_ms + LEASE_MS),
        gone,
        fresh.map(({ device }) => device.deviceId),
        fresh.map(({ device }) => device.userId),
        fresh.map(({ address }) => address),
        fresh.map(({ number }) => number),
      ]);
      renewedAt_ms = now_ms;
      excess.published(fresh.map(({ device, address }) => ({ userId: device.userId, address })));
      // Nobody knew this process: it is new, or the database lost what is not logged.
      if (rows[0]?.is_new)
        changed = new Set([...held.keys(), ...changed].filter((id) => !batch.includes(id)));
    } catch (error) {
      changed = new Set([...batch, ...changed]);
      throw error;
    } finally {
      writing = [];
    }
  }

  function flush(): Promise<void> {
    flushing ??= write()
      .then(excess.count)
      .finally(() => {
        flushing = undefined;
      });
    return flushing;
  }

  /** A process that holds nothing and has nothing to say needs no lease. */
  function isDue(): boolean {
    return (
      changed.size > 0 ||
      excess.isPending() ||
      (held.size > 0 && clock.now().getTime() - renewedAt_ms >= RENEW_EVERY_MS)
    );
  }

  /** A newer connection than the one that lost may be here by now. */
  function onNotification(payload: string): void {
    const [loser, id, number] = payload.split(' ');
    const entry = held.get(Number(id));
    if (loser === node && entry?.number !== undefined && entry.number < Number(number))
      onTaken(Number(id));
  }

  /** Devices that moved here, but that the database does not know to be here yet. */
  function arrivals(userId: number, address: string): number[] {
    return [...writing, ...changed].filter((id) => {
      const entry = held.get(id);
      return entry !== undefined && (entry.device.userId === userId || entry.address === address);
    });
  }

  return {
    async opening({ userId, deviceId }, address) {
      try {
        const values = [
          userId,
          address,
          node,
          clock.now(),
          [deviceId, ...arrivals(userId, address)],
        ];
        const { rows } = await database.prepared<{
          number: number;
          of_user: number;
          at_address: number;
        }>('connection-opening', OPENING, values);
        return {
          number: rows[0]?.number,
          others: { ofUser: rows[0]?.of_user ?? 0, atAddress: rows[0]?.at_address ?? 0 },
        };
      } catch (error) {
        onError(error);
        return { number: undefined, others: { ofUser: 0, atAddress: 0 } };
      }
    },
    opened(device, address, number) {
      // Of two that open here at once the one that opened last stays, whichever asked first for its number.
      const before = held.get(device.deviceId)?.number;
      const entry: Held = {
        device,
        address,
        number: number === undefined ? undefined : Math.max(number, before ?? number),
      };
      held.set(device.deviceId, entry);
      changed.add(device.deviceId);
      return () => {
        if (held.get(device.deviceId) !== entry) return;
        held.delete(device.deviceId);
        changed.add(device.deviceId);
      };
    },
    flush,
    async start() {
      await database.listen(TAKEN_CHANNEL, onNotification);
      await excess.listen(({ node: holder, deviceId, number, kind }) => {
        // What came in its place since then is counted by itself.
        if (holder === node && held.get(deviceId)?.number === number) onExcess(deviceId, kind);
      });
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
