/**
 * Computes the lines of corrections or of a release in one transaction: all of them or none. Hours
 * are computed in buckets.
 */
import {
  type Database,
  defineStatement,
  executeUnprepared,
  queryNamed,
  type Transaction,
  transaction,
} from '../db/index.ts';
import { insertCorrections, LINE_COLUMNS } from './insert-lines.ts';
import { listChangedDevices, listLateHours } from './late-changes.ts';
import { loadRules } from './manage-rules.ts';
import { OPEN_RELEASES, referrersOf } from './referral-reward-query.ts';
import { REFERRAL_LEVELS } from './rules-schema.ts';
import { lockSettlement, type Settlement, settledVersion } from './settlements.ts';

async function addCorrections(
  tx: Transaction,
  settlement: Settlement,
  scale: number,
): Promise<number> {
  // A release that is being computed does not see the lines inserted here: wait until it ends.
  // Other releases wait for this settlement.
  await tx.query(`${OPEN_RELEASES} for share`);
  let lines = 0;
  // Leaves are in the order of the hours: the payment of a day reads the first and the last one.
  for (const late of await listLateHours(tx, settlement)) {
    const devices = await listChangedDevices(tx, late, settlement);
    if (devices.length === 0) continue;
    const { hour } = late;
    const version = await settledVersion(tx, hour);
    if (version === undefined) continue;
    const rules = await loadRules(tx, version, scale);
    const scope = { batch: settlement.id, hour, version, rules };
    lines = await insertCorrections(tx, lines, scope, devices);
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
  return (
    await executeUnprepared(tx, INSERT_RELEASED_LINES, {
      batch: settlement.id,
      referee: settlement.refereeId,
    })
  ).rowCount;
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
 * Computes open corrections, or an open release.
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
    // Corrections of a large network take longer than a request may.
    if (database.kind === 'server') await tx.query('set local statement_timeout = 0');
    const lines = await addLines(tx, settlement, scale);
    await queryNamed(
      tx,
      `update reward_batch set lines = :lines,
          state = case period when 'day' then 'computed' else 'posting' end
        where id = :id`,
      { id, lines },
    );
    return true;
  });
}
