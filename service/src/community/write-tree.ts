/** Writes rows of new members, and their first figures. */
import { defineStatement, execute, type Transaction } from '../db/index.ts';

export interface MemberRow {
  readonly userId: number;
  readonly referrerId: number | null;
  readonly depth: number;
  readonly joinNo: number;
  readonly directNo: number;
}

/** Times of joining become strictly increasing, so that their order is the order of numbers. */
const INSERT_MEMBERS = defineStatement(
  'community_insert_members',
  `insert into community_member
    (user_id, referrer_id, depth, join_no, direct_no, joined_at, name, email)
  select n.user_id, n.referrer_id, n.depth, n.join_no, n.direct_no,
    greatest(
      s.last_joined_at,
      max(u.created_at - n.i * interval '1 microsecond') over (order by n.i)
    ) + n.i * interval '1 microsecond',
    fold_for_search(u.nickname), u.email_key
  from unnest(
      :users::bigint[], :referrers::bigint[], :depths::int[], :join_nos::int[], :direct_nos::int[]
    ) with ordinality n (user_id, referrer_id, depth, join_no, direct_no, i)
    join app_user u on u.id = n.user_id
    cross join community_state s`,
);

const UPDATE_LAST_JOIN = defineStatement(
  'community_update_last_join',
  `update community_state set last_join_no = :join_no::int,
    last_joined_at = (select joined_at from community_member where join_no = :join_no::int)`,
);

/** Adds members. The rows are in the order of their numbers, which follow the last one. */
export async function insertMembers(tx: Transaction, rows: readonly MemberRow[]): Promise<void> {
  if (rows.length === 0) return;
  await execute(tx, INSERT_MEMBERS, {
    users: rows.map((r) => r.userId),
    referrers: rows.map((r) => r.referrerId),
    depths: rows.map((r) => r.depth),
    join_nos: rows.map((r) => r.joinNo),
    direct_nos: rows.map((r) => r.directNo),
  });
  await execute(tx, UPDATE_LAST_JOIN, { join_no: rows.at(-1)?.joinNo });
}

export interface FiguresRow {
  readonly userId: number;
  readonly directCount: number;
  readonly downlineCount: number;
  readonly downlineAmount: bigint;
}

const COLUMNS = ':users::bigint[], :directs::int[], :downlines::int[], :amounts::numeric[]';

const columnsOf = (rows: readonly FiguresRow[]) => ({
  users: rows.map((r) => r.userId),
  directs: rows.map((r) => r.directCount),
  downlines: rows.map((r) => r.downlineCount),
  amounts: rows.map((r) => r.downlineAmount.toString()),
});

const INSERT_FIGURES = defineStatement(
  'community_insert_stats',
  `insert into community_stats (user_id, direct_count, downline_count, downline_amount)
  select * from unnest(${COLUMNS})`,
);

/** The figures of new members. */
export async function insertFigures(tx: Transaction, rows: readonly FiguresRow[]): Promise<void> {
  if (rows.length > 0) await execute(tx, INSERT_FIGURES, columnsOf(rows));
}

const ADD_FIGURES = defineStatement(
  'community_update_stats',
  `update community_stats s set direct_count = s.direct_count + d.direct,
    downline_count = s.downline_count + d.downline,
    downline_amount = s.downline_amount + d.amount
  from unnest(${COLUMNS}) d (user_id, direct, downline, amount)
  where s.user_id = d.user_id`,
);

/** Adds to the figures of members. */
export async function addFigures(tx: Transaction, rows: readonly FiguresRow[]): Promise<void> {
  if (rows.length > 0) await execute(tx, ADD_FIGURES, columnsOf(rows));
}

/** Asks for lists of these members. */
export async function requestLists(tx: Transaction, ownerIds: readonly number[]): Promise<void> {
  if (ownerIds.length === 0) return;
  await tx.query(
    `insert into community_downline_build (owner_id)
      select unnest($1::bigint[]) on conflict do nothing`,
    [ownerIds],
  );
}
