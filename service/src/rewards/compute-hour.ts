/**
 * Computes the lines of an hour in buckets of users, each in a transaction of its own, which
 * workers and instances share. Each step can be killed and repeated:
 *
 * 1. The buckets are planned, and limits per address evaluated, which concern several buckets.
 * 2. Lines of devices, bucket by bucket.
 * 3. Eligibility of referees, from the time online of all of them.
 * 4. Referral rewards, bucket by bucket of the referrers.
 */
import {
  type Database,
  defineStatement,
  executeUnprepared,
  queryNamed,
  type Transaction,
  transaction,
} from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import {
  type BucketKind,
  insertBuckets,
  type LockedBucket,
  lockBucket,
  storeBucketLines,
  USERS_PER_BUCKET,
} from './buckets.ts';
import { deviceParameters } from './device-reward-query.ts';
import { type HourScope, insertBucketDevices, insertBucketReferrals } from './insert-lines.ts';
import { loadRules } from './manage-rules.ts';
import { LIMITED_DEVICES } from './online-device-query.ts';
import { addUptime, recordEligibility } from './referral-eligibility.ts';
import { runWorkers } from './run-workers.ts';
import { lockSettlement, type Settlement } from './settlements.ts';

/**
 * The tables inside a statement have no statistics: the planner takes them for one row and would
 * join thousands of rows one by one.
 */
export const DISABLE_NESTED_LOOPS = 'set local enable_nestloop = off';

export interface ComputeDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** Tests have small buckets. */
  readonly usersPerBucket?: number;
}

/** A large network takes longer than a request may. */
async function prepareToCompute(tx: Transaction): Promise<void> {
  if (tx.database.kind === 'server') await tx.query('set local statement_timeout = 0');
  await tx.query(DISABLE_NESTED_LOOPS);
}

const INSERT_LIMITED = defineStatement(
  'rewards_insert_limited',
  `insert into reward_limited (batch_id, device_id, reason)
  select :batch, device_id, reason from (${LIMITED_DEVICES}) limited`,
);

/** Plans the buckets, once. */
async function plan(
  { database, clock, usersPerBucket = USERS_PER_BUCKET }: ComputeDeps,
  { batch, hour, rules }: HourScope,
): Promise<void> {
  await transaction(database, async (tx) => {
    const settlement = await lockSettlement(tx, batch, 'open');
    if (!settlement || settlement.step !== null) return;
    await prepareToCompute(tx);
    const kinds: BucketKind[] =
      rules.referral.length === 0 ? ['devices'] : ['devices', 'referrals'];
    if (!settlement.closedAt) {
      await insertBuckets(tx, batch, usersPerBucket, kinds);
      if (rules.devicesPerAddress !== null)
        await executeUnprepared(tx, INSERT_LIMITED, {
          ...deviceParameters(hour, rules, null),
          batch,
        });
    }
    await queryNamed(
      tx,
      "update reward_batch set step = 'devices', planned_at = :now where id = :batch",
      { batch, now: clock.now() },
    );
  });
}

async function addBucketLines(
  tx: Transaction,
  kind: BucketKind,
  scope: HourScope,
  bucket: LockedBucket,
): Promise<number> {
  if (bucket.closedAt) return 0;
  if (kind === 'referrals') return insertBucketReferrals(tx, scope, bucket);
  const lines = await insertBucketDevices(tx, scope, bucket);
  await addUptime(tx, scope, bucket);
  return lines;
}

/** Computes one bucket that no worker computes. @returns false when there is none */
async function computeBucket(
  database: Database,
  kind: BucketKind,
  scope: HourScope,
): Promise<boolean> {
  return transaction(database, async (tx) => {
    const bucket = await lockBucket(tx, scope.batch, kind);
    if (!bucket) return false;
    await prepareToCompute(tx);
    const lines = await addBucketLines(tx, kind, scope, bucket);
    await storeBucketLines(tx, scope.batch, bucket.bucket, lines);
    return true;
  });
}

/** Ends a step when all of its buckets are computed, also by other instances. */
async function endStep(
  database: Database,
  batch: number,
  kind: BucketKind,
  end: (tx: Transaction) => Promise<void>,
): Promise<void> {
  await transaction(database, async (tx) => {
    const settlement = await lockSettlement(tx, batch, 'open');
    if (settlement?.step !== kind) return;
    const { rowCount: remaining } = await queryNamed(
      tx,
      `select from reward_bucket where batch_id = :batch and kind = :kind and lines is null
        limit 1`,
      { batch, kind },
    );
    if (remaining === 0) await end(tx);
  });
}

async function judgeReferees(tx: Transaction, { batch, hour, rules }: HourScope): Promise<void> {
  await prepareToCompute(tx);
  await recordEligibility(tx, hour, rules.referral);
  await queryNamed(tx, "update reward_batch set step = 'referrals' where id = :batch", { batch });
}

async function finishComputing(tx: Transaction, batch: number, now: Date): Promise<void> {
  await queryNamed(tx, 'delete from reward_limited where batch_id = :batch', { batch });
  await queryNamed(
    tx,
    `update reward_batch set computed_at = :now,
        state = case period when 'day' then 'computed' else 'posting' end,
        step = case period when 'day' then null else 'bills' end,
        lines = (select coalesce(sum(lines), 0) from reward_bucket where batch_id = :batch)
      where id = :batch`,
    { batch, now },
  );
}

/** Computes an open hour as far as no other instance is computing a part of it. */
export async function computeHour(
  deps: ComputeDeps,
  { id, hour, ruleVersion }: Settlement,
  scale: number,
): Promise<void> {
  const { database, clock } = deps;
  const rules = await loadRules(database, ruleVersion, scale);
  const scope = { batch: id, hour, version: ruleVersion, rules };
  await plan(deps, scope);
  await runWorkers(database, () => computeBucket(database, 'devices', scope));
  await endStep(database, id, 'devices', (tx) => judgeReferees(tx, scope));
  await runWorkers(database, () => computeBucket(database, 'referrals', scope));
  await endStep(database, id, 'referrals', (tx) => finishComputing(tx, id, clock.now()));
}
