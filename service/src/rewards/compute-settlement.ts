/** Finds what a batch pays: its lines, in one transaction, so that a batch has all of them or none. */
import { type Database, type Transaction, transaction } from '../db/index.ts';
import { directLines, directParameters, type LinesMode } from './device-reward-query.ts';
import { loadRules } from './manage-rules.ts';
import { recordEligibility } from './referral-eligibility.ts';
import { referralLines, WAITING_RELEASES } from './referral-reward-query.ts';
import { countedReports, NOTED_REPORTS } from './report-evidence.ts';
import type { Rules } from './rules.ts';
import { type Batch, lockBatch, settledVersion } from './settlements.ts';

const COLUMNS = `batch_id, leaf, hour, user_id, device_id, rule_version, level, part, reward_type, status, node_id, referee_id,
  quantity, rate, settled_before, amount, reason`;

function insertDirect(mode: LinesMode): string {
  return `with ${directLines(mode)},
  ${countedReports(mode)}
  insert into reward_line (${COLUMNS}, report_ids, reports_hash)
  select $13, $14::bigint + row_number() over (order by user_id, device_id, reward_type desc, part) - 1, $1, user_id, device_id, $15, 0, part, reward_type,
    case when target - settled_before <> 0 then 'paid' else 'rejected' end, node_id, null, quantity, rate, settled_before, target - settled_before, reason,
    ${NOTED_REPORTS}
  from direct left join counted using (device_id, reward_type, part)`;
}

function insertReferral(mode: LinesMode): string {
  return `with ${referralLines(mode)}
  insert into reward_line (${COLUMNS})
  select $1, $4::bigint + row_number() over (order by user_id, level, status, reason, referee_id) - 1, $2, user_id, null, $3, level, '', 'REFERRAL',
    status, '', referee_id, quantity, rate, settled_before, target - settled_before, reason
  from referral`;
}

export interface HourScope {
  readonly hour: Date;
  readonly version: number;
  readonly rules: Rules;
  /** Devices whose traffic or time online came late; null: the whole hour. */
  readonly devices: readonly number[] | null;
}

async function insertReferrals(
  tx: Transaction,
  batchId: number,
  first: number,
  { hour, version, rules, devices }: HourScope,
): Promise<number> {
  if (rules.referral.length === 0) return 0;
  const levels = rules.referral.map(({ level }) => level);
  const millionths = rules.referral.map(({ millionths }) => String(millionths));
  let referees: number[] | null = null;
  if (devices) {
    const { rows } = await tx.query<{ id: number }>(
      'select distinct user_id as id from reward_line where batch_id = $1 and hour = $2 and level = 0',
      [batchId, hour],
    );
    referees = rows.map(({ id }) => id);
    if (referees.length === 0) return 0;
  }
  const { rowCount } = await tx.query(insertReferral(devices ? 'correction' : 'hour'), [
    batchId,
    hour,
    version,
    first,
    levels,
    millionths,
    referees,
  ]);
  return rowCount;
}

/** Adds the lines of one hour to a batch. @returns how many lines it has now */
async function addHour(
  tx: Transaction,
  batchId: number,
  first: number,
  scope: HourScope,
): Promise<number> {
  const { hour, version, rules, devices } = scope;
  const mode = devices ? 'correction' : 'hour';
  const { rowCount } = await tx.query(insertDirect(mode), [
    ...directParameters(hour, rules, devices),
    batchId,
    first,
    version,
  ]);
  if (mode === 'hour') {
    // The planner must know the million rows that have just come, or it joins them one by one.
    if (rowCount > 10_000) await tx.query('analyze reward_line');
    await recordEligibility(tx, batchId, hour, rules.referral);
  }
  return first + rowCount + (await insertReferrals(tx, batchId, first + rowCount, scope));
}

// Ten minutes before the settlement too: no transaction lasts longer. What did not change makes no line.
const LATE = `select t.hour, array_agg(distinct t.device_id order by t.device_id) as devices
  from (
    select hour, device_id, changed_at from traffic_hour where changed_at >= coalesce($1::timestamptz, '-infinity') and changed_at < $2
    union all
    select hour, device_id, changed_at from late_uptime where changed_at >= coalesce($1::timestamptz, '-infinity') and changed_at < $2) as t
    join reward_batch b on b.kind = 'hour' and b.hour = t.hour and b.state <> 'open'
  where t.changed_at >= b.created_at - interval '10 minutes'
  group by t.hour order by t.hour`;

async function addCorrections(tx: Transaction, batch: Batch, scale: number): Promise<number> {
  // One that is being computed does not see what is found here: it ends first. The others wait for this run.
  await tx.query(`${WAITING_RELEASES} for share`);
  const { rows } = await tx.query<{ hour: Date; devices: number[] }>(LATE, [
    batch.since,
    batch.until,
  ]);
  let lines = 0;
  for (const { hour, devices } of rows) {
    const version = await settledVersion(tx, hour);
    if (version === undefined) continue;
    lines = await addHour(tx, batch.id, lines, {
      hour,
      version,
      rules: await loadRules(tx, version, scale),
      devices,
    });
  }
  return lines;
}

const RELEASE = `insert into reward_line (${COLUMNS})
  select $1, row_number() over (order by hour, user_id, level) - 1, hour, user_id, null, max(rule_version), level, 'released', 'REFERRAL', 'paid', '', referee_id,
    max(quantity), max(rate), max(quantity) * 0, sum(amount), max(reason)
  from reward_line where referee_id = $2 and status = 'held' and user_id in (
    select a.referrer_id from app_user a where a.id = $2
    union select b.referrer_id from app_user a join app_user b on b.id = a.referrer_id where a.id = $2
    union select c.referrer_id from app_user a join app_user b on b.id = a.referrer_id join app_user c on c.id = b.referrer_id where a.id = $2)
  group by hour, user_id, level, referee_id having sum(amount) > 0`;

async function addLines(tx: Transaction, batch: Batch, scale: number): Promise<number> {
  if (batch.closedAt) return 0;
  if (batch.kind === 'correction') return addCorrections(tx, batch, scale);
  if (batch.kind === 'release')
    return (await tx.query(RELEASE, [batch.id, batch.refereeId])).rowCount;
  const rules = await loadRules(tx, batch.ruleVersion, scale);
  return addHour(tx, batch.id, 0, {
    hour: batch.hour,
    version: batch.ruleVersion,
    rules,
    devices: null,
  });
}

/**
 * True while a run is open that may not know of a release: what it is about to hold would be left behind. Runs that are
 * opened later see the release.
 */
async function isComputing(tx: Transaction): Promise<boolean> {
  const { rowCount } = await tx.query(
    "select from reward_batch where state = 'open' and kind <> 'release' limit 1",
  );
  return rowCount > 0;
}

/**
 * An hour is joined as sets. What a statement made itself a moment ago has no statistics: taken for one row, its
 * thousands would be joined one by one, each with everything.
 */
export const DISABLE_NESTED_LOOPS = 'set local enable_nestloop = off';

/** Computes a batch that is open. @returns false when another node has it, or it is computed already */
export async function computeBatch(
  database: Database,
  id: number,
  scale: number,
): Promise<boolean> {
  return transaction(database, async (tx) => {
    const batch = await lockBatch(tx, id, 'open');
    if (!batch) return false;
    if (batch.kind === 'release' && (await isComputing(tx))) return false;
    // A million users take longer than a request may.
    if (database.kind === 'server') await tx.query('set local statement_timeout = 0');
    if (batch.kind === 'hour') await tx.query(DISABLE_NESTED_LOOPS);
    const lines = await addLines(tx, batch, scale);
    await tx.query("update reward_batch set state = 'posting', lines = $2 where id = $1", [
      id,
      lines,
    ]);
    return true;
  });
}
