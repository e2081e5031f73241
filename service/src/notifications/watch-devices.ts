/**
 * Finds devices that were not heard for as long as their owners chose. All that are neither deleted
 * nor disconnected are looked at in turn, a bounded number in each transaction, in the order of
 * their owners: one notification for all devices of a user that are found together.
 */
import {
  type Database,
  defineStatement,
  execute,
  type Transaction,
  transaction,
} from '../db/index.ts';
import { CONFIRMED_AT, deviceNameOf, type NamedDevice } from '../devices/index.ts';
import type { Clock } from '../lib/clock.ts';
import { addNotifications, type NewNotification } from './add-notifications.ts';
import { OFFLINE_MINUTES } from './kinds.ts';
import { lockProgress, moveProgress, type Progress } from './progress.ts';

/** Devices of one transaction. */
const STEP_DEVICES = 1000;
/** From the beginning of a round to that of the next one: silences meanwhile come together. */
export const ROUND_MS = 300_000;
/** A silence that is found later than this is passed over. */
const TOLD_WITHIN_HOURS = 24;
/** A pause after which the job has not run without a break. */
const BREAK_MS = 120_000;
/**
 * For how long no silence counts after such a break: devices that the service could not hear
 * itself have the time to connect again.
 */
export const SETTLING_MS = 600_000;

const KEEP_WATCH = defineStatement(
  'device-watch-keep',
  `insert into device_watch as w (id, since, ran_at) values (1, :now, :now)
   on conflict (id) do update set ran_at = excluded.ran_at,
     since = case when w.ran_at < :broken_before then excluded.since else w.since end
   returning since`,
);

/** Whether the watch has lasted long enough for a silence to be the device's own. */
async function isWatching(tx: Transaction, now: Date): Promise<boolean> {
  const broken = new Date(now.getTime() - BREAK_MS);
  const { rows } = await execute<{ since: Date }>(tx, KEEP_WATCH, { now, broken_before: broken });
  return rows[0] !== undefined && now.getTime() - rows[0].since.getTime() >= SETTLING_MS;
}

interface Place {
  readonly userId: number;
  readonly nodeId: string;
}

const FIND_END = defineStatement(
  'device-watch-end',
  `with page as materialized (
     select user_id, node_id from device
     where (user_id, node_id) > (:user_id, :node_id) and cut is null
     order by user_id, node_id limit ${STEP_DEVICES})
   select count(*)::int as devices, max(user_id) as "lastUser",
     max(user_id) filter (where user_id < (select max(user_id) from page)) as "wholeUser",
     (select node_id from page order by user_id desc, node_id desc limit 1) as "lastNode"
   from page`,
);

interface PageEnd {
  readonly devices: number;
  readonly lastUser: number | null;
  readonly lastNode: string | null;
  /** The last user whose devices are all in the page, in a full page. */
  readonly wholeUser: number | null;
}

/** Where a step ends: after a user, unless one has more devices than a step. */
async function findEnd(tx: Transaction, after: Place): Promise<{ end: Place; isLast: boolean }> {
  const values = { user_id: after.userId, node_id: after.nodeId };
  const { rows } = await execute<PageEnd>(tx, FIND_END, values);
  const { devices, lastUser, lastNode, wholeUser } = rows[0] as PageEnd;
  const isLast = devices < STEP_DEVICES;
  const user = lastUser ?? after.userId;
  if (isLast) return { end: { userId: user + 1, nodeId: '' }, isLast };
  if (wholeUser !== null) return { end: { userId: wholeUser + 1, nodeId: '' }, isLast };
  return { end: { userId: user, nodeId: lastNode ?? '' }, isLast };
}

// A device whose connection an instance holds was heard when that instance last confirmed it.
const MARK_SILENT = defineStatement(
  'device-watch-mark',
  `with silent as (
     select d.id, d.user_id, d.node_id, d.name, d.browser, d.os, d.device_type, h.heard_at
     from device d
     cross join lateral (
       select greatest(p.heard_at, (
           select ${CONFIRMED_AT}
           from live_connection l join connection_node n on n.node = l.node
           where l.device_id = d.id)) as heard_at
       from device_presence p where p.device_id = d.id limit 1) as h
     cross join lateral (
       select :now::timestamptz - make_interval(mins => coalesce((
         select s.offline_minutes from notification_setting s where s.user_id = d.user_id),
         :default_minutes)) as due) as owner
     where (d.user_id, d.node_id) > (:user_id, :node_id)
       and (d.user_id, d.node_id) <= (:end_user_id, :end_node_id)
       and d.cut is null and h.heard_at >= d.bound_at and h.heard_at <= owner.due
       and h.heard_at > owner.due - make_interval(hours => :told_hours)),
   marked as (
     insert into device_silence as k (device_id, heard_at)
     select id, heard_at from silent order by id
     on conflict (device_id) do update set heard_at = excluded.heard_at
       where k.heard_at < excluded.heard_at
     returning device_id)
   select s.id, s.user_id as "userId", s.node_id, s.name, s.browser, s.os, s.device_type,
     s.heard_at as "heardAt"
   from silent s join marked m on m.device_id = s.id order by s.user_id, s.id`,
);

interface SilentDevice extends NamedDevice {
  readonly id: number;
  readonly userId: number;
  readonly node_id: string;
  readonly heardAt: Date;
}

/** One notification for the devices of a user that were found together. */
function toNotification(devices: readonly SilentDevice[], now: Date): NewNotification[] {
  const [first] = devices;
  if (!first) return [];
  const { id, userId, node_id, heardAt } = first;
  const message: Pick<NewNotification, 'code' | 'details'> =
    devices.length === 1
      ? {
          code: 'device_offline',
          details: { node_id, name: deviceNameOf(first), since: heardAt.toISOString() },
        }
      : { code: 'devices_offline', details: { count: String(devices.length) } };
  const cause = `silence/${id}/${heardAt.toISOString()}`;
  return [{ userId, kind: 'device_offline', ...message, cause, createdAt: now }];
}

/** Tells the owners of devices that fell silent, from one place of a round to another. */
async function tellSilent(tx: Transaction, clock: Clock, after: Place, end: Place): Promise<void> {
  const now = clock.now();
  const { rows } = await execute<SilentDevice>(tx, MARK_SILENT, {
    ...{ user_id: after.userId, node_id: after.nodeId },
    ...{ end_user_id: end.userId, end_node_id: end.nodeId },
    now,
    default_minutes: OFFLINE_MINUTES.default,
    told_hours: TOLD_WITHIN_HOURS,
  });
  const byOwner = Map.groupBy(rows, ({ userId }) => userId);
  const drafts = [...byOwner.values()].flatMap((devices) => toNotification(devices, now));
  await addNotifications(tx, clock, drafts);
}

const isDue = ({ startedAt }: Progress, now: Date): boolean =>
  startedAt === null || now.getTime() - startedAt.getTime() >= ROUND_MS;

/** @returns whether the round continues */
async function watchStep(database: Database, clock: Clock): Promise<boolean> {
  return transaction(database, async (tx) => {
    const progress = await lockProgress(tx, 'devices');
    const now = clock.now();
    if (!progress || !(await isWatching(tx, now))) return false;
    const isNew = progress.position === 0;
    if (isNew && !isDue(progress, now)) return false;
    const after = { userId: progress.position, nodeId: progress.nodeId };
    const { end, isLast } = await findEnd(tx, after);
    await tellSilent(tx, clock, after, end);
    const next = isLast ? { userId: 0, nodeId: '' } : end;
    await moveProgress(tx, 'devices', {
      ...progress,
      position: next.userId,
      nodeId: next.nodeId,
      startedAt: isNew ? now : progress.startedAt,
    });
    return !isLast;
  });
}

/**
 * Continues the round to its end, or begins the next one. Each silence of a device makes one
 * notification: it is marked in the transaction that tells it.
 * @param signal ends it after a step, when the instance ends; the next run continues
 */
export async function watchDevices(
  database: Database,
  clock: Clock,
  signal?: AbortSignal,
): Promise<void> {
  let continues = true;
  while (continues && !signal?.aborted) continues = await watchStep(database, clock);
}
