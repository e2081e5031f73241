/**
 * Rebuilds the tree from `app_user` and the purchases, after an import or a repair: empties its
 * tables, and rolls up every user again. One transaction: until it commits, readers see the tree as
 * it was.
 */
import type { Db, Transaction } from '../db/index.ts';
import { buildListPiece } from './materialise-downlines.ts';
import { applyEvents, type Event, withTreeLockUnlimited } from './roll-up.ts';

/** Events of one batch: each batch updates all ancestors of its members. */
const EVENTS_MAX = 50_000;
const TABLES = [
  'community_member',
  'community_stats',
  'community_downline',
  'community_downline_build',
  'community_depth_total',
] as const;

/**
 * All users with their purchases, in the order of joining. Queued purchases and renames are in what
 * this snapshot reads, and leave the queue; queued joins stay, because their event is still to be
 * recorded.
 */
const MEMBERS = `with queued as (delete from community_event where kind <> 'join')
  select 'amount' as kind, u.id as user_id, coalesce(t.amount, 0) as amount
  from app_user u left join community_purchase_total t on t.user_id = u.id
  order by u.created_at, u.id`;

const RESET = `update community_state set last_join_no = 0, last_joined_at = '-infinity',
    revision = revision + 1, epoch = epoch + 1`;

/** Row by row: `truncate` would block readers. @returns true when the tree was empty */
async function empty(tx: Transaction): Promise<boolean> {
  const { rowCount } = await tx.query('select from community_member limit 1');
  for (const table of TABLES) await tx.query(`delete from ${table}`);
  return rowCount === 0;
}

/** Rebuilds everything; joins and purchases that commit meanwhile are queued as usual. */
export async function rebuildCommunity(db: Db): Promise<void> {
  await withTreeLockUnlimited(db, async (tx) => {
    const isFirst = await empty(tx);
    // Creating the index afterwards is much faster than adding row by row.
    if (isFirst) await tx.query('drop index community_member_name_idx');
    await tx.query(RESET);
    const { rows } = await tx.query<Event>(MEMBERS);
    for (let from = 0; from < rows.length; from += EVENTS_MAX) {
      await applyEvents(tx, rows.slice(from, from + EVENTS_MAX));
      await tx.query('analyze community_member, community_stats');
    }
    while (await buildListPiece(tx, Number.MAX_SAFE_INTEGER));
    if (isFirst)
      await tx.query(
        `create index community_member_name_idx on community_member
          using gin (name gin_trgm_ops)`,
      );
    await tx.query(`analyze ${TABLES.join(', ')}`);
  });
}
