/**
 * Computes the lines of a correction, hour by hour and in buckets of users, each in a transaction
 * of its own. The place is kept in the settlement and in `reward_late`, so that each can be killed
 * and repeated. Of each late hour:
 *
 * 1. The devices that changed are queued.
 * 2. Lines of devices, bucket by bucket; then the referrers of their users are queued.
 * 3. Referral rewards, bucket by bucket of the referrers.
 */
import { type Database, queryNamed, type Transaction, transaction } from '../db/index.ts';
import { USERS_PER_BUCKET } from './buckets.ts';
import { CLOSING } from './closed-lines.ts';
import type { ComputeDeps } from './compute-hour.ts';
import {
  type HourScope,
  insertDeviceCorrections,
  insertReferralCorrections,
} from './insert-lines.ts';
import {
  type LateHour,
  listLateHours,
  queueChangedDevices,
  queueReferrers,
  takeLate,
} from './late-changes.ts';
import { loadRules } from './manage-rules.ts';
import { lockSettlement, type Settlement, settledVersion } from './settlements.ts';

/** A correction that is locked by this transaction. */
interface Correction {
  readonly settlement: Settlement;
  /** All hours that it may have to correct. */
  readonly hours: readonly LateHour[];
  readonly users: number;
  readonly scale: number;
}

/** A large network takes longer than a request may. */
async function allowTime(tx: Transaction): Promise<void> {
  if (tx.database.kind === 'server') await tx.query('set local statement_timeout = 0');
}

/** The lines that it has are refused, if an operator closed it. */
async function finish(tx: Transaction, { id }: Settlement): Promise<void> {
  await queryNamed(tx, 'delete from reward_late where batch_id = :id', { id });
  await queryNamed(
    tx,
    `update reward_batch set step = null, late_hour = null, late_leaf = null,
        state = case period when 'day' then 'computed' else 'posting' end
      where id = :id`,
    { id },
  );
}

/**
 * Whether an operator has closed another settlement that has not ended. Its lines that are not
 * posted look like paid ones until their refusals are recorded, and an instance may be posting
 * some: a correction compares with what is paid, and continues when all of them are refused.
 */
async function isWaiting(tx: Transaction, { id }: Settlement): Promise<boolean> {
  return (await tx.query(`${CLOSING} and id <> $1 limit 1`, [id])).rowCount > 0;
}

/** Continues with the next hour. @returns false when there is none */
async function beginHour(tx: Transaction, { settlement, hours }: Correction): Promise<boolean> {
  const { lateHour } = settlement;
  // Leaves are in the order of the hours: the payment of a day reads the first and the last one.
  const late = hours.find(({ hour }) => lateHour === null || hour > lateHour);
  if (!late) {
    await finish(tx, settlement);
    return false;
  }
  const isChanged = (await queueChangedDevices(tx, late, settlement)) > 0;
  await queryNamed(
    tx,
    `update reward_batch set step = :step, late_hour = :hour, late_leaf = lines where id = :id`,
    { id: settlement.id, step: isChanged ? 'devices' : 'referrals', hour: late.hour },
  );
  return true;
}

/**
 * The hour that a correction is at. Undefined: meanwhile its lines are read from the archive, and
 * what is queued is not computed any more.
 */
async function scopeOf(
  tx: Transaction,
  { settlement: { id, lateHour }, scale }: Correction,
): Promise<HourScope | undefined> {
  const version = lateHour === null ? undefined : await settledVersion(tx, lateHour);
  if (lateHour === null || version === undefined) return undefined;
  return { batch: id, hour: lateHour, version, rules: await loadRules(tx, version, scale) };
}

async function addLines(tx: Transaction, batch: number, lines: number): Promise<void> {
  const values = { batch, lines };
  await queryNamed(tx, 'update reward_batch set lines = lines + :lines where id = :batch', values);
}

async function correctDevices(
  tx: Transaction,
  { settlement, users }: Correction,
  scope: HourScope,
): Promise<void> {
  const { id, lines, lateLeaf } = settlement;
  const devices = (await takeLate(tx, id, users)).map(({ deviceId }) => deviceId);
  if (devices.length > 0) {
    await addLines(tx, id, await insertDeviceCorrections(tx, lines, scope, devices));
    return;
  }
  await queueReferrers(tx, id, lateLeaf ?? 0, scope.rules.referral);
  await queryNamed(tx, "update reward_batch set step = 'referrals' where id = :id", { id });
}

/**
 * Computes one bucket, or continues with the next step.
 * @returns false when all is computed, or nothing can be for now
 */
async function computeNext(tx: Transaction, correction: Correction): Promise<boolean> {
  const { settlement, users } = correction;
  const { id, step, closedAt, lines } = settlement;
  if (closedAt) {
    await finish(tx, settlement);
    return false;
  }
  if (await isWaiting(tx, settlement)) return false;
  if (step === null) return beginHour(tx, correction);
  const scope = await scopeOf(tx, correction);
  if (!scope) {
    await queryNamed(tx, 'delete from reward_late where batch_id = :id', { id });
    return beginHour(tx, correction);
  }
  if (step === 'devices') {
    await correctDevices(tx, correction, scope);
    return true;
  }
  const referrers = await takeLate(tx, id, users);
  if (referrers.length === 0) return beginHour(tx, correction);
  await addLines(tx, id, await insertReferralCorrections(tx, lines, scope, referrers));
  return true;
}

/** @returns undefined when another instance has the correction, or an operator closed it */
function readLateHours(database: Database, id: number): Promise<LateHour[] | undefined> {
  return transaction(database, async (tx) => {
    const settlement = await lockSettlement(tx, id, 'open');
    if (!settlement) return undefined;
    if (settlement.closedAt) {
      await finish(tx, settlement);
      return undefined;
    }
    await allowTime(tx);
    return listLateHours(tx, settlement);
  });
}

/** Computes an open correction, until another instance computes a bucket of it, or all is done. */
export async function computeCorrection(
  { database, usersPerBucket: users = USERS_PER_BUCKET }: ComputeDeps,
  opened: Settlement,
  scale: number,
): Promise<void> {
  const hours = await readLateHours(database, opened.id);
  if (!hours) return;
  for (let isOpen = true; isOpen; )
    isOpen = await transaction(database, async (tx) => {
      const settlement = await lockSettlement(tx, opened.id, 'open');
      if (!settlement) return false;
      await allowTime(tx);
      return computeNext(tx, { settlement, hours, users, scale });
    });
}
