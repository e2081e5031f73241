/** Inserts the lines of a bucket of an hour, or of the corrections of an hour. */
import {
  defineStatement,
  executeUnprepared,
  type Statement,
  type Transaction,
} from '../db/index.ts';
import { BUCKET_LEAVES, type LockedBucket } from './buckets.ts';
import { deviceParameters, deviceRewards } from './device-reward-query.ts';
import type { LinesMode } from './online-device-query.ts';
import { OPEN_RELEASES, referralRewards, shareParameters } from './referral-reward-query.ts';
import { EVIDENCE_COLUMNS, reportEvidence } from './report-evidence.ts';
import type { Rules } from './rules.ts';

export const LINE_COLUMNS = `batch_id, leaf, hour, user_id, device_id, rule_version, level, part,
    reward_type, status, node_id, referee_id, quantity, rate, settled_before, amount, reason`;

type InsertMode = Exclude<LinesMode, 'network'>;

/** Leaves continue after those that the settlement has. */
const leaf = (order: string): string =>
  `:first::bigint + row_number() over (order by ${order}) - 1`;

const insertDeviceLines = (mode: InsertMode): Statement =>
  defineStatement(
    `rewards_insert_device_lines_${mode}`,
    `with ${deviceRewards(mode)},
  ${reportEvidence(mode)}
  insert into reward_line (${LINE_COLUMNS}, report_ids, reports_hash)
  select :batch, ${leaf('user_id, device_id, reward_type desc, part')}, :hour, user_id, device_id,
    :version, 0, part, reward_type,
    case when target <> settled_before then 'paid' else 'rejected' end, node_id, null,
    quantity, rate, settled_before, target - settled_before, reason,
    ${EVIDENCE_COLUMNS}
  from device_reward left join evidence using (device_id, reward_type, part)`,
  );

const insertReferralLines = (mode: InsertMode): Statement =>
  defineStatement(
    `rewards_insert_referral_lines_${mode}`,
    `with recursive ${referralRewards(mode)}
  insert into reward_line (${LINE_COLUMNS})
  select :batch, ${leaf('user_id, level, status, reason, referee_id')}, :hour, user_id, null,
    :version, level, '', 'REFERRAL', status, '', referee_id, quantity, rate, settled_before,
    target - settled_before, reason
  from referral_reward`,
  );

const DEVICE_LINES = {
  bucket: insertDeviceLines('bucket'),
  correction: insertDeviceLines('correction'),
};
const REFERRAL_LINES = {
  bucket: insertReferralLines('bucket'),
  correction: insertReferralLines('correction'),
};

/** An hour under its rules, in a settlement. */
export interface HourScope {
  readonly batch: number;
  readonly hour: Date;
  readonly version: number;
  readonly rules: Rules;
}

function toParameters({ bucket, firstUser, nextUser, plannedAt }: LockedBucket) {
  return {
    first: bucket * BUCKET_LEAVES,
    first_user: firstUser,
    next_user: nextUser,
    planned_at: plannedAt,
  };
}

/** @returns how many lines the devices of the bucket's users have */
export async function insertBucketDevices(
  tx: Transaction,
  { batch, hour, version, rules }: HourScope,
  bucket: LockedBucket,
): Promise<number> {
  const { rowCount } = await executeUnprepared(tx, DEVICE_LINES.bucket, {
    ...deviceParameters(hour, rules, null),
    ...toParameters(bucket),
    batch,
    version,
  });
  return rowCount;
}

/**
 * Inserts what the bucket's users earn as referrers; all lines of devices exist. A release that is
 * being computed does not see the lines inserted here: this waits until it ends. Other releases
 * wait for the settlement.
 */
export async function insertBucketReferrals(
  tx: Transaction,
  { batch, hour, version, rules }: HourScope,
  bucket: LockedBucket,
): Promise<number> {
  await tx.query(`${OPEN_RELEASES} for share`);
  const { rowCount } = await executeUnprepared(tx, REFERRAL_LINES.bucket, {
    ...{ batch, hour, version, ...shareParameters(rules.referral) },
    ...toParameters(bucket),
  });
  return rowCount;
}

/**
 * Corrects what devices earned in an hour.
 * @param first leaves that the settlement has
 * @param devices all of a user that changed, or none of them
 * @returns how many lines they have
 */
export async function insertDeviceCorrections(
  tx: Transaction,
  first: number,
  { batch, hour, version, rules }: HourScope,
  devices: readonly number[],
): Promise<number> {
  const { rowCount } = await executeUnprepared(tx, DEVICE_LINES.correction, {
    ...deviceParameters(hour, rules, devices),
    batch,
    first,
    version,
  });
  return rowCount;
}

/** A user as the referrer of others at a level. */
export interface Referrer {
  readonly userId: number;
  readonly level: number;
}

/**
 * Corrects what referrers earned in an hour; all corrections of devices exist. For releases see
 * `insertBucketReferrals`.
 */
export async function insertReferralCorrections(
  tx: Transaction,
  first: number,
  { batch, hour, version, rules }: HourScope,
  referrers: readonly Referrer[],
): Promise<number> {
  await tx.query(`${OPEN_RELEASES} for share`);
  const { rowCount } = await executeUnprepared(tx, REFERRAL_LINES.correction, {
    ...{ batch, hour, version, first, ...shareParameters(rules.referral) },
    referrers: referrers.map(({ userId }) => userId),
    referrer_levels: referrers.map(({ level }) => level),
  });
  return rowCount;
}
