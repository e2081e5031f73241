/** Settlement: each hour once, then what came late, each run resumed wherever it was killed. */
import { randomBytes } from 'node:crypto';
import type { Db } from '../db/index.ts';
import { computeBatch } from './compute-settlement.ts';
import { scaleOfRewards, versionAt } from './manage-rules.ts';
import { type PostDeps, postBatch } from './post-settlement.ts';
import { HOUR_MS } from './rules.ts';
import { type Batch, lastHour, listUnsettled } from './settlements.ts';

const SALT_KEY_BYTES = 32;
/** Longer than any transaction may last: a report that commits late is still found by the next correction. */
const OVERLAP_MS = 600_000;
const FAILURE_MAX = 500;

export interface SettleDeps extends PostDeps {
  /** How long after its end an hour waits for reports. */
  readonly grace_s: number;
}

async function firstHour(db: Db): Promise<Date | undefined> {
  const last = await lastHour(db);
  if (last) return new Date(last.getTime() + HOUR_MS);
  const { rows } = await db.query<{ hour: Date | null }>(
    'select min(hour) as hour from reward_activation',
  );
  return rows[0]?.hour ?? undefined;
}

/** The next hour that is due; undefined when none is. */
async function nextDue(db: Db, now: Date, grace_s: number): Promise<Date | undefined> {
  const hour = await firstHour(db);
  return hour && hour.getTime() + HOUR_MS + grace_s * 1000 <= now.getTime() ? hour : undefined;
}

/** Notes that an hour is being settled; whoever comes second finds it there. */
async function openHour({ database, clock }: SettleDeps, hour: Date): Promise<void> {
  const version = await versionAt(database, hour);
  if (version === undefined) throw new Error(`no rules apply at ${hour.toISOString()}`);
  await database.query(
    `insert into reward_batch (kind, hour, rule_version, state, salt_key, created_at) values ('hour', $1, $2, 'open', $3, $4)
      on conflict (hour) where kind = 'hour' do nothing`,
    [hour, version, randomBytes(SALT_KEY_BYTES), clock.now()],
  );
}

async function openCorrection({ database, clock }: SettleDeps): Promise<void> {
  const now = clock.now();
  const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);
  await database.query(
    `insert into reward_batch (kind, hour, rule_version, state, since, until, salt_key, created_at)
      select 'correction', $1, 0, 'open', (select max(until) from reward_batch where kind = 'correction') - $2 * interval '1 millisecond', $3::timestamptz, $4, $3
      on conflict (kind) where state <> 'settled' and kind = 'correction' do nothing`,
    [hour, OVERLAP_MS, now, randomBytes(SALT_KEY_BYTES)],
  );
}

/** Looks for late reports once an hour; where the last look ended bounds the next one. */
async function isCorrectionDue(db: Db, now: Date): Promise<boolean> {
  const { rows } = await db.query<{ until: Date | null; hours: boolean }>(
    `select (select max(until) from reward_batch where kind = 'correction') as until, exists (select from reward_batch where kind = 'hour') as hours`,
  );
  const { until, hours } = rows[0] ?? { until: null, hours: false };
  return hours && (until === null || now.getTime() - until.getTime() >= HOUR_MS);
}

/** Looks that found nothing leave no trace but the last; what they found is of no more use. */
async function deleteOldCorrections(db: Db): Promise<void> {
  await db.query(
    "delete from late_uptime where changed_at < (select max(until) from reward_batch where kind = 'correction' and state = 'settled') - interval '1 day'",
  );
  await db.query(
    `delete from reward_batch where kind = 'correction' and state = 'settled' and lines = 0
      and until < (select max(until) from reward_batch where kind = 'correction' and state = 'settled')`,
  );
}

async function settleBatch(deps: SettleDeps, batch: Batch, scale: number): Promise<void> {
  if (batch.state === 'open') await computeBatch(deps.database, batch.id, scale);
  await postBatch(deps, batch.id);
}

/** What an operator reads of a batch that does not go on. */
async function noteFailure(db: Db, batch: Batch, error: unknown): Promise<void> {
  const text = error instanceof Error ? error.message : String(error);
  await db.query("update reward_batch set failure = $2 where id = $1 and state <> 'settled'", [
    batch.id,
    text.slice(0, FAILURE_MAX),
  ]);
}

/** Goes on with everything that was begun. @returns what failed: one batch that cannot go on must not keep the others */
async function settleUnsettled(deps: SettleDeps): Promise<unknown[]> {
  const scale = await scaleOfRewards(deps.database, deps.rewardCurrency);
  const failures: unknown[] = [];
  for (const batch of await listUnsettled(deps.database)) {
    try {
      await settleBatch(deps, batch, scale);
    } catch (error) {
      failures.push(error);
      // Where the database does not answer, this fails for the same reason.
      await noteFailure(deps.database, batch, error).catch(() => {});
    }
  }
  return failures;
}

/**
 * Settles the hours that are due, in their order: the gates of one depend on those computed before it. One whose posting
 * does not go on keeps nobody.
 */
async function settleHours(deps: SettleDeps): Promise<unknown[]> {
  for (;;) {
    const failures = await settleUnsettled(deps);
    const unsettled = await listUnsettled(deps.database);
    // Another node is at work on it, or it waits for an operator.
    if (unsettled.some(({ kind, state }) => kind === 'hour' && state === 'open')) return failures;
    const hour = await nextDue(deps.database, deps.clock.now(), deps.grace_s);
    if (!hour) return failures;
    await openHour(deps, hour);
  }
}

/** Settles what is due. @throws the first failure, when all that could be settled is */
export async function settleDue(deps: SettleDeps): Promise<void> {
  let failures = await settleHours(deps);
  if (await isCorrectionDue(deps.database, deps.clock.now())) {
    await openCorrection(deps);
    failures = await settleUnsettled(deps);
    await deleteOldCorrections(deps.database);
  }
  if (failures.length > 0) throw failures[0];
}
