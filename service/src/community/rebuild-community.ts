/**
 * Rebuilds the tree from `app_user` and the purchases, after an import or a repair: empties its
 * tables, and writes every member again. One transaction: until it commits, readers see the tree
 * as it was.
 */
import type { Db, Transaction } from '../db/index.ts';
import { computeTree, type TreeColumns } from './compute-tree.ts';
import { buildListPiece } from './materialise-downlines.ts';
import { withTreeLockUnlimited } from './roll-up.ts';
import { shouldMaterialise } from './tree.ts';
import { insertFigures, insertMembers, requestLists } from './write-tree.ts';

const PIECE = 10_000;
const TABLES = [
  'community_member',
  'community_stats',
  'community_downline',
  'community_downline_build',
  'community_depth_total',
] as const;

const CREATE_SOURCE = `create temp table community_source (
    user_id bigint, referrer_id bigint, join_no int, amount numeric
  ) on commit drop`;

/**
 * All users with their purchases. Queued purchases and renames are in what this snapshot reads, and
 * leave the queue; queued joins stay, because their event is still to be recorded.
 */
const FILL_SOURCE = `with queued as (delete from community_event where kind <> 'join')
  insert into community_source
  select u.id, u.referrer_id, row_number() over (order by u.created_at, u.id),
    coalesce(t.amount, 0)
  from app_user u left join community_purchase_total t on t.user_id = u.id`;

const RESET = `update community_state set last_join_no = 0, last_joined_at = '-infinity',
    revision = revision + 1, epoch = epoch + 1`;

/** Row by row: `truncate` would block readers. @returns true when the tree was empty */
async function empty(tx: Transaction): Promise<boolean> {
  const { rowCount } = await tx.query('select from community_member limit 1');
  for (const table of TABLES) await tx.query(`delete from ${table}`);
  return rowCount === 0;
}

interface SourceRow {
  readonly user_id: number;
  readonly referrer_id: number | null;
  readonly join_no: number;
  readonly amount: string;
}

async function readTree(tx: Transaction): Promise<TreeColumns> {
  await tx.query(CREATE_SOURCE);
  const { rowCount } = await tx.query(FILL_SOURCE);
  const computation = computeTree(rowCount);
  await tx.query(
    'declare community_rows no scroll cursor for select * from community_source order by user_id',
  );
  for (;;) {
    const { rows } = await tx.query<SourceRow>(`fetch ${PIECE} from community_rows`);
    for (const { user_id, referrer_id, join_no, amount } of rows)
      computation.addMember({
        userId: user_id,
        referrerId: referrer_id,
        joinNo: join_no,
        amount: BigInt(amount),
      });
    if (rows.length < PIECE) break;
  }
  await tx.query('close community_rows');
  return computation.finish();
}

async function writeTree(tx: Transaction, tree: TreeColumns): Promise<void> {
  const at = (column: Int32Array | Float64Array, place: number): number => column[place] ?? 0;
  for (let from = 0; from < tree.count; from += PIECE) {
    const places = [...tree.joinOrder.subarray(from, from + PIECE)];
    const members = places.map((place, i) => {
      const parent = tree.parents[place] ?? -1;
      return {
        userId: at(tree.userIds, place),
        referrerId: parent < 0 ? null : at(tree.userIds, parent),
        depth: at(tree.depths, place),
        joinNo: from + i + 1,
        directNo: at(tree.directNos, place),
      };
    });
    await insertMembers(tx, members);
    const figures = places.map((place) => ({
      userId: at(tree.userIds, place),
      directCount: at(tree.directCounts, place),
      downlineCount: at(tree.downlineCounts, place),
      downlineAmount: tree.amounts.get(place) ?? 0n,
    }));
    await insertFigures(tx, figures);
    const isLarge = (row: (typeof figures)[number]) => shouldMaterialise(row.downlineCount, 0);
    await requestLists(
      tx,
      figures.filter(isLarge).map(({ userId }) => userId),
    );
  }
}

/** Rebuilds everything; joins and purchases that commit meanwhile are queued as usual. */
export async function rebuildCommunity(db: Db): Promise<void> {
  await withTreeLockUnlimited(db, async (tx) => {
    const isFirst = await empty(tx);
    // Creating the index afterwards is much faster than adding row by row.
    if (isFirst) await tx.query('drop index community_member_name_idx');
    await tx.query(RESET);
    await writeTree(tx, await readTree(tx));
    await tx.query('analyze community_member, community_stats');
    while (await buildListPiece(tx, Number.MAX_SAFE_INTEGER));
    if (isFirst)
      await tx.query(
        `create index community_member_name_idx on community_member
          using gin (name gin_trgm_ops)`,
      );
    await tx.query(`analyze ${TABLES.join(', ')}`);
  });
}
