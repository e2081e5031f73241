/**
 * Computes the lines of a settlement in one transaction, so that it has all of them or none.
 */
import {
  type Database,
  defineStatement,
  executeUnprepared,
  queryNamed,
  refreshStatistics,
  type Statement,
  type Transaction,
  transaction,
} from '../db/index.ts';
import { deviceParameters, deviceRewards, type LinesMode } from './device-reward-query.ts';
import { loadRules } from './manage-rules.ts';
import { recordEligibility } from './referral-eligibility.ts';
import {
  OPEN_RELEASES,
  referralRewards,
  referrersOf,
  shareParameters,
} from './referral-reward-query.ts';
import { EVIDENCE_COLUMNS, reportEvidence } from './report-evidence.ts';
import type { Rules } from './rules.ts';
import { REFERRAL_LEVELS } from './rules-schema.ts';
import { lockSettlement, type Settlement, settledVersion } from './settlements.ts';

const LINE_COLUMNS = `batch_id, leaf, hour, user_id, device_id, rule_version, level, part,
    reward_type, status, node_id, referee_id, quantity, rate, settled_before, amount, reason`;

/** Leaves continue after those that the settlement has. */
const leaf = (order: string): string =>
  `:first::bigint + row_number() over (order by ${order}) - 1`;

const insertDeviceLines = (mode: LinesMode): Statement =>
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

const insertReferralLines = (mode: LinesMode): Statement =>
  defineStatement(
    `rewards_insert_referral_lines_${mode}`,
    `with recursive ${referralRewards(mode)}
  insert into reward_line (${LINE_COLUMNS})
  select :batch, ${leaf('user_id, level, status, reason, referee_id')}, :hour, user_id, null,
    :version, level, '', 'REFERRAL', status, '', referee_id, quantity, rate, settled_before,
    target - settled_before, reason
  from referral_reward`,
  );

const INSERT_DEVICE_LINES = {
  hour: insertDeviceLines('hour'),
  correction: insertDeviceLines('correction'),
};
const INSERT_REFERRAL_LINES = {
  hour: insertReferralLines('hour'),
  correction: insertReferralLines('correction'),
};

interface HourScope {
  readonly hour: Date;
  readonly version: number;
  readonly rules: Rules;
  /** Devices whose traffic or time online came late; null: the whole hour. */
  readonly devices: readonly number[] | null;
}

async function insertReferrals(
  tx: Transaction,
  batch: number,
  first: number,
  { hour, version, rules, devices }: HourScope,
): Promise<number> {
  if (rules.referral.length === 0) return 0;
  const values = { batch, hour, version, first, ...shareParameters(rules.referral) };
  if (!devices) return (await executeUnprepared(tx, INSERT_REFERRAL_LINES.hour, values)).rowCount;
  const { rows } = await queryNamed<{ id: number }>(
    tx,
    `select distinct user_id as id from reward_line
      where batch_id = :batch and hour = :hour and level = 0`,
    { batch, hour },
  );
  if (rows.length === 0) return 0;
  const referees = rows.map(({ id }) => id);
  return (await executeUnprepared(tx, INSERT_REFERRAL_LINES.correction, { ...values, referees }))
    .rowCount;
}

/** Adds the lines of one hour to a settlement. @returns how many lines it has now */
async function addHour(
  tx: Transaction,
  batch: number,
  first: number,
  scope: HourScope,
): Promise<number> {
  const { hour, version, rules, devices } = scope;
  const mode = devices ? 'correction' : 'hour';
  const { rowCount } = await executeUnprepared(tx, INSERT_DEVICE_LINES[mode], {
    ...deviceParameters(hour, rules, devices),
    batch,
    first,
    version,
  });
  if (mode === 'hour') {
    // Without statistics of the new rows the planner joins a million of them one by one.
    if (rowCount > 10_000) await refreshStatistics(tx, 'reward_line');
    await recordEligibility(tx, batch, hour, rules.referral);
  }
  return first + rowCount + (await insertReferrals(tx, batch, first + rowCount, scope));
}

/**
 * Devices by hour whose traffic or time online changed after the hour was computed: also in the ten
 * minutes before it, which is longer than any transaction. A device that did not change gets no
 * line.
 */
const LATE_CHANGES = defineStatement(
  'rewards_late_changes',
  `select t.hour, array_agg(distinct t.device_id order by t.device_id) as devices
  from (
      select hour, device_id, changed_at from traffic_hour
      where changed_at >= coalesce(:since::timestamptz, '-infinity') and changed_at < :until
      union all
      select hour, device_id, changed_at from late_uptime
      where changed_at >= coalesce(:since::timestamptz, '-infinity') and changed_at < :until
    ) t
    join reward_batch b on b.kind = 'hour' and b.hour = t.hour and b.state <> 'open'
  where t.changed_at >= b.created_at - interval '10 minutes'
  group by t.hour order by t.hour`,
);

async function addCorrections(
  tx: Transaction,
  settlement: Settlement,
  scale: number,
): Promise<number> {
  // A release that is being computed does not see the lines inserted here: wait until it ends.
  // Other releases wait for this settlement.
  await tx.query(`${OPEN_RELEASES} for share`);
  const { rows } = await executeUnprepared<{ hour: Date; devices: number[] }>(tx, LATE_CHANGES, {
    since: settlement.since,
    until: settlement.until,
  });
  let lines = 0;
  for (const { hour, devices } of rows) {
    const version = await settledVersion(tx, hour);
    if (version === undefined) continue;
    const rules = await loadRules(tx, version, scale);
    lines = await addHour(tx, settlement.id, lines, { hour, version, rules, devices });
  }
  return lines;
}

/** Only referrers of the referee are paid, whatever user a held line names. */
const INSERT_RELEASED_LINES = defineStatement(
  'rewards_release',
  `with recursive lineage as (
    ${referrersOf('lineage', 'select :referee::bigint as user_id', String(REFERRAL_LEVELS))}
  )
  insert into reward_line (${LINE_COLUMNS})
  select :batch, row_number() over (order by hour, user_id, level) - 1, hour, user_id, null,
    max(rule_version), level, 'released', 'REFERRAL', 'paid', '', referee_id,
    max(quantity), max(rate), 0, sum(amount), max(reason)
  from reward_line
  where referee_id = :referee and status = 'held' and user_id in (select referrer from lineage)
  group by hour, user_id, level, referee_id having sum(amount) > 0`,
);

async function addLines(tx: Transaction, settlement: Settlement, scale: number): Promise<number> {
  if (settlement.closedAt) return 0;
  if (settlement.kind === 'correction') return addCorrections(tx, settlement, scale);
  if (settlement.kind === 'release')
    return (
      await executeUnprepared(tx, INSERT_RELEASED_LINES, {
        batch: settlement.id,
        referee: settlement.refereeId,
      })
    ).rowCount;
  const rules = await loadRules(tx, settlement.ruleVersion, scale);
  return addHour(tx, settlement.id, 0, {
    hour: settlement.hour,
    version: settlement.ruleVersion,
    rules,
    devices: null,
  });
}

/**
 * True while a settlement is open that may not see a release: rewards that it is about to hold
 * would stay held. Settlements that are opened later see the release.
 */
async function isComputing(tx: Transaction): Promise<boolean> {
  const { rowCount } = await tx.query(
    "select from reward_batch where state = 'open' and kind <> 'release' limit 1",
  );
  return rowCount > 0;
}

/**
 * An hour is joined as sets. The tables inside a statement have no statistics: the planner takes
 * them for one row and would join thousands of rows one by one.
 */
export const DISABLE_NESTED_LOOPS = 'set local enable_nestloop = off';

/**
 * Computes an open settlement.
 * @returns false when another instance has it, or it is computed already
 */
export async function computeSettlement(
  database: Database,
  id: number,
  scale: number,
): Promise<boolean> {
  return transaction(database, async (tx) => {
    const settlement = await lockSettlement(tx, id, 'open');
    if (!settlement) return false;
    if (settlement.kind === 'release' && (await isComputing(tx))) return false;
    // A million users take longer than a request may.
    if (database.kind === 'server') await tx.query('set local statement_timeout = 0');
    if (settlement.kind === 'hour') await tx.query(DISABLE_NESTED_LOOPS);
    const lines = await addLines(tx, settlement, scale);
    await queryNamed(
      tx,
      "update reward_batch set state = 'posting', lines = :lines where id = :id",
      { id, lines },
    );
    return true;
  });
}
