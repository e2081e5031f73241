/** The settlement job: each hour once, then late changes. A killed run is resumed. */
import { randomBytes } from 'node:crypto';
import { type Db, defineStatement, execute, queryNamed } from '../db/index.ts';
import { CLOSING } from './closed-lines.ts';
import { computeCorrection } from './compute-correction.ts';
import { type ComputeDeps, computeHour } from './compute-hour.ts';
import { computeRelease } from './compute-release.ts';
import { scaleOfRewards, versionAt } from './manage-rules.ts';
import { isDayDue, type PayDeps, payDays } from './pay-days.ts';
import { postSettlement } from './post-settlement.ts';
import { HOUR_MS } from './rules.ts';
import { LAST_CORRECTION, lastHour, listUnsettled, type Settlement } from './settlements.ts';

const SALT_KEY_BYTES = 32;
/** Longer than any transaction: the next correction finds a report that commits late. */
const OVERLAP_MS = 600_000;
const FAILURE_MAX = 500;

export interface SettleDeps extends PayDeps, ComputeDeps {
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

/** Inserts the row of an hour; an instance that comes second finds it. */
async function openHour({ database, clock, period }: SettleDeps, hour: Date): Promise<void> {
  const version = await versionAt(database, hour);
  if (version === undefined) throw new Error(`no rules apply at ${hour.toISOString()}`);
  await queryNamed(
    database,
    `insert into reward_batch (kind, hour, rule_version, state, period, salt_key, created_at)
      values ('hour', :hour, :version, 'open', :period, :salt_key, :now)
      on conflict (hour) where kind = 'hour' do nothing`,
    { hour, version, period, salt_key: randomBytes(SALT_KEY_BYTES), now: clock.now() },
  );
}

const OPEN_CORRECTION = defineStatement(
  'rewards_open_correction',
  `insert into reward_batch
    (kind, hour, rule_version, state, period, since, until, salt_key, created_at)
  select 'correction', :hour, 0, 'open', :period,
    (${LAST_CORRECTION}) - :overlap * interval '1 millisecond', :now::timestamptz, :salt_key, :now
  on conflict (kind) where state <> 'settled' and kind = 'correction' do nothing`,
);

async function openCorrection({ database, clock, period }: SettleDeps): Promise<void> {
  const now = clock.now();
  const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);
  await execute(database, OPEN_CORRECTION, {
    hour,
    period,
    overlap: OVERLAP_MS,
    now,
    salt_key: randomBytes(SALT_KEY_BYTES),
  });
}

/**
 * A correction runs once an hour, from where the last one ended; where days are paid, before each
 * payment. It waits for the end of what an operator closed: which lines of it are refused is known
 * then, and a correction compares with what is paid.
 */
async function isCorrectionDue({ database: db, clock, period }: SettleDeps): Promise<boolean> {
  const now = clock.now();
  if (period === 'day' && !(await isDayDue(db, period))) return false;
  const { rows } = await db.query<{ until: Date | null; hours: boolean; closing: boolean }>(
    `select (${LAST_CORRECTION}) as until,
        exists (select from reward_batch where kind = 'hour') as hours,
        exists (${CLOSING}) as closing`,
  );
  const { until, hours, closing } = rows[0] ?? { until: null, hours: false, closing: false };
  return hours && !closing && (until === null || now.getTime() - until.getTime() >= HOUR_MS);
}

/** Deletes empty corrections except the last one. */
async function deleteOldCorrections(db: Db): Promise<void> {
  const settled = `${LAST_CORRECTION} and state = 'settled'`;
  await db.query(
    `delete from reward_batch where kind = 'correction' and state = 'settled' and lines = 0
      and until < (${settled})`,
  );
}

function compute(deps: SettleDeps, settlement: Settlement, scale: number): Promise<void> {
  if (settlement.kind === 'hour') return computeHour(deps, settlement, scale);
  return settlement.kind === 'correction'
    ? computeCorrection(deps, settlement, scale)
    : computeRelease(deps.database, settlement.id);
}

async function settleOne(deps: SettleDeps, settlement: Settlement, scale: number): Promise<void> {
  if (settlement.state === 'open') await compute(deps, settlement, scale);
  if (settlement.period === 'hour') await postSettlement(deps, settlement.id);
}

/** Stores the error of a settlement, for operators. */
async function recordFailure(db: Db, settlement: Settlement, error: unknown): Promise<void> {
  const text = error instanceof Error ? error.message : String(error);
  await queryNamed(
    db,
    "update reward_batch set failure = :failure where id = :batch_id and state <> 'settled'",
    { batch_id: settlement.id, failure: text.slice(0, FAILURE_MAX) },
  );
}

/**
 * Resumes all open settlements.
 * @returns the errors: a settlement that fails must not stop the others
 */
async function settleUnsettled(deps: SettleDeps): Promise<unknown[]> {
  const scale = await scaleOfRewards(deps.database, deps.rewardCurrency);
  const failures: unknown[] = [];
  for (const settlement of await listUnsettled(deps.database)) {
    try {
      await settleOne(deps, settlement, scale);
    } catch (error) {
      failures.push(error);
      // When the database is unavailable, this fails too.
      await recordFailure(deps.database, settlement, error).catch(() => {});
    }
  }
  return failures;
}

/**
 * Settles the hours that are due, in their order: the eligibility of one depends on the hours
 * before it. An hour whose posting fails does not stop the next ones.
 */
async function settleHours(deps: SettleDeps): Promise<unknown[]> {
  for (;;) {
    const failures = await settleUnsettled(deps);
    const unsettled = await listUnsettled(deps.database);
    // Another instance computes it, or it waits for an operator.
    if (unsettled.some(({ kind, state }) => kind === 'hour' && state === 'open')) return failures;
    const hour = await nextDue(deps.database, deps.clock.now(), deps.grace_s);
    if (!hour) return failures;
    await openHour(deps, hour);
  }
}

/** Settles all that is due. @throws the first error, after the rest was settled */
export async function settleDue(deps: SettleDeps): Promise<void> {
  let failures = await settleHours(deps);
  if (await isCorrectionDue(deps)) {
    await openCorrection(deps);
    failures = await settleUnsettled(deps);
    await deleteOldCorrections(deps.database);
  }
  failures.push(...(await payDays(deps)));
  if (failures.length > 0) throw failures[0];
}
