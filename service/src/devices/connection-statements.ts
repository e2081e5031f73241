/** Statements on the live connections of all instances. */
import { type Database, type Db, defineStatement, execute, readFromPrimary } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';

/** An instance renews its lease every five seconds at the latest. */
export const LEASE_MS = 15_000;
/** Payload: instance, device, highest number of a connection that ends, cause. */
export const EVICTED_CHANNEL = 'connection_evicted';

/**
 * The newer of two connections of a device stays, whichever instance publishes first. The older one
 * is found from the row as it was, so that two instances that publish at once do not miss each
 * other.
 */
export const PUBLISH_CONNECTIONS = defineStatement(
  'connections-publish',
  `with lease as (
     insert into connection_node as n (node, alive_until, connections)
     values (:instance, :alive_until, :connections)
     on conflict (node) do update set
       alive_until = excluded.alive_until, connections = excluded.connections
     returning (xmax = 0) as is_new),
   closed as (
     delete from live_connection where node = :instance and device_id = any (:closed::bigint[])),
   opened as (
     insert into live_connection as l (device_id, user_id, address, node, number)
       select device_id, user_id, address, :instance, number
       from unnest(:device_ids::bigint[], :user_ids::bigint[], :addresses::text[],
           :numbers::bigint[]) as o (device_id, user_id, address, number) order by device_id
     on conflict (device_id) do update set
       user_id = case when l.number <= excluded.number then excluded.user_id else l.user_id end,
       address = case when l.number <= excluded.number then excluded.address else l.address end,
       node = case when l.number <= excluded.number then excluded.node else l.node end,
       number = greatest(l.number, excluded.number),
       loser = case when l.number <= excluded.number then l.node else excluded.node end
     returning device_id, node, number, loser),
   evicted as (
     select pg_notify('${EVICTED_CHANNEL}', concat_ws(' ', loser, device_id, number - 1,
       'replaced'))
       as sent
     from opened where loser <> node)
   select is_new, (select count(sent) from evicted) as evicted from lease`,
);

/**
 * Instances that do not know of each other yet may together exceed a limit. A statement of its own:
 * of two instances that publish at once, the later one counts both. The newest connections end.
 */
export const ENFORCE_LIMITS = defineStatement(
  'connections-enforce-limits',
  `with alive as not materialized (
     select l.device_id, l.user_id, l.address, l.node, l.number
     from live_connection l join connection_node n on n.node = l.node
     where n.alive_until > :now),
   over_limit as (
     select 'user' as kind, newest.*
     from (select user_id from alive where user_id = any (:user_ids::bigint[])
         group by user_id having count(*) > :user_max) as crowd
       cross join lateral (select device_id, node, number from alive a
         where a.user_id = crowd.user_id order by number offset :user_max) as newest
     union all
     select 'address', newest.*
     from (select address from alive where address = any (:addresses::text[])
         group by address having count(*) > :address_max) as crowd
       cross join lateral (select device_id, node, number from alive a
         where a.address = crowd.address order by number offset :address_max) as newest)
   select count(pg_notify('${EVICTED_CHANNEL}', concat_ws(' ', node, device_id, number, kind)))
   from over_limit`,
);

/** Devices that moved here since the last publication are still stored with their old instance. */
export const RESERVE_CONNECTION = defineStatement(
  'connection-reserve',
  `select nextval('live_connection_number') as number,
     count(*) filter (where l.user_id = :user_id) as of_user,
     count(*) filter (where l.address = :address) as at_address
   from live_connection l join connection_node n on n.node = l.node
   where (l.user_id = :user_id or l.address = :address) and l.node <> :instance
     and n.alive_until > :now and l.device_id <> all (:moved::bigint[])`,
);

export const NEXT_NUMBERS = defineStatement(
  'connection-numbers',
  `select nextval('live_connection_number') as number from generate_series(1, :count::int)`,
);

export const LEAVE_REGISTRY = defineStatement(
  'connections-leave',
  `with gone as (delete from connection_node where node = :instance)
   delete from live_connection where node = :instance`,
);

/**
 * When an instance last confirmed the connections that it publishes: it deletes those that ended in
 * the statement that renews its lease.
 */
export const CONFIRMED_AT = `n.alive_until - interval '${LEASE_MS} milliseconds'`;

const DELETE_EXPIRED = defineStatement(
  'connections-delete-expired',
  `with n as (
     delete from connection_node where alive_until < :before returning node, alive_until),
   gone as (
     delete from live_connection l using n where l.node = n.node
     returning l.device_id, ${CONFIRMED_AT} as confirmed_at)
   update device_presence p set heard_at = gone.confirmed_at from gone
   where p.device_id = gone.device_id and p.heard_at < gone.confirmed_at`,
);

/**
 * Deletes instances that have not renewed their lease for longer than a device may be silent, with
 * their connections. The devices were last heard about when the lease was renewed. No heartbeat
 * that comes later is so near that the time between would count as online.
 */
export async function deleteExpiredLeases(
  database: Database,
  clock: Clock,
  silence_ms: number,
): Promise<void> {
  const before = new Date(clock.now().getTime() - silence_ms);
  await execute(database, DELETE_EXPIRED, { before });
}

const COUNT_CONNECTIONS = defineStatement(
  'connections-count',
  `select coalesce(sum(connections), 0)::int as connections from connection_node
   where alive_until > :now`,
);

/** Live connections of all instances, as each of them last published; no standby has them. */
export async function countConnections(db: Db, clock: Clock): Promise<number> {
  const { rows } = await readFromPrimary(() =>
    execute<{ connections: number }>(db, COUNT_CONNECTIONS, { now: clock.now() }),
  );
  return rows[0]?.connections ?? 0;
}
