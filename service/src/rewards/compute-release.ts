/**
 * Computes the lines of a release in one transaction: all of them or none. Hours and corrections
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
import { isClosing, isHeldOnRecord } from './closed-lines.ts';
import { LINE_COLUMNS } from './insert-lines.ts';
import { referrersOf } from './referral-reward-query.ts';
import { REFERRAL_LEVELS } from './rules-schema.ts';
import { lockSettlement, type Settlement } from './settlements.ts';

/**
 * Only referrers of the referee are paid, whatever user a held line names. What a closed settlement
 * held is refused by the same statement, so that it is never taken for what this release pays.
 */
const INSERT_RELEASED_LINES = defineStatement(
  'rewards_release',
  `with recursive lineage as (
    ${referrersOf('lineage', 'select :referee::bigint as user_id', String(REFERRAL_LEVELS))}
  ),
  held as materialized (
    select l.*, ${isClosing('l')} as is_closing from reward_line l
    where l.referee_id = :referee and ${isHeldOnRecord('l')}
  ),
  refused as (
    insert into reward_refusal (batch_id, leaf, code)
    select batch_id, leaf, 'settlement_closed' from held where is_closing
    on conflict do nothing
  )
  insert into reward_line (${LINE_COLUMNS})
  select :batch, row_number() over (order by hour, user_id, level) - 1, hour, user_id, null,
    max(rule_version), level, 'released', 'REFERRAL', 'paid', '', referee_id,
    max(quantity), max(rate), 0, sum(amount), max(reason)
  from held
  where not is_closing and user_id in (select referrer from lineage)
  group by hour, user_id, level, referee_id having sum(amount) > 0`,
);

async function addLines(tx: Transaction, { id, refereeId, closedAt }: Settlement): Promise<number> {
  if (closedAt) return 0;
  const values = { batch: id, referee: refereeId };
  return (await executeUnprepared(tx, INSERT_RELEASED_LINES, values)).rowCount;
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

/** Computes an open release, unless another instance has it, or it is computed already. */
export async function computeRelease(database: Database, id: number): Promise<void> {
  await transaction(database, async (tx) => {
    const settlement = await lockSettlement(tx, id, 'open');
    if (!settlement || (await isComputing(tx))) return;
    if (database.kind === 'server') await tx.query('set local statement_timeout = 0');
    const lines = await addLines(tx, settlement);
    await queryNamed(
      tx,
      `update reward_batch set lines = :lines,
          state = case period when 'day' then 'computed' else 'posting' end
        where id = :id`,
      { id, lines },
    );
  });
}
