/**
 * The roll-up: takes a batch of events off the queue and updates the tree's figures and lists, in
 * one transaction under one lock. A kill at any line leaves the batch in the queue. It takes rows,
 * never a watermark: an event that commits late is taken late, not lost.
 */
import {
  ADVISORY_LOCKS,
  type Db,
  defineStatement,
  execute,
  type Transaction,
  takeLock,
  transaction,
} from '../db/index.ts';
import { recordDatedEvents } from '../events/index.ts';
import { type Join, loadTree } from './load-tree.ts';
import { buildListPiece } from './materialise-downlines.ts';
import {
  accumulate,
  addToDepthTotals,
  appendToLists,
  type PurchaseTotals,
  shouldMaterialise,
  type Tree,
} from './tree.ts';

const EVENTS_MAX = 2000;

export interface Event {
  readonly kind: 'join' | 'amount' | 'rename';
  readonly user_id: number;
  readonly amount: string;
}

const TAKE = defineStatement(
  'community_take',
  `delete from community_event
  where id in (select id from community_event order by id limit :limit)
  returning kind, user_id, amount`,
);

function sumAmounts(events: readonly Event[]): PurchaseTotals {
  const amounts = new Map<number, bigint>();
  for (const { kind, user_id, amount } of events) {
    if (kind === 'amount') amounts.set(user_id, (amounts.get(user_id) ?? 0n) + BigInt(amount));
  }
  return amounts;
}

interface JoinedRow {
  readonly user_id: number;
  readonly referrer_id: number;
  readonly joined_at: Date;
  readonly nickname: string;
}

const JOINED = defineStatement(
  'community_joined',
  `select u.id as user_id, u.referrer_id, m.joined_at, u.nickname
   from unnest(:user_ids::bigint[]) as joined (user_id)
   join app_user u on u.id = joined.user_id
   join community_member m on m.user_id = u.id
   where u.referrer_id is not null order by m.join_no`,
);

/** Records joins for the referrers, with the members: a reader of the event finds the member. */
async function recordJoins(tx: Transaction, events: readonly Event[]): Promise<void> {
  const userIds = events.filter(({ kind }) => kind === 'join').map(({ user_id }) => user_id);
  if (userIds.length === 0) return;
  const { rows } = await execute<JoinedRow>(tx, JOINED, { user_ids: userIds });
  const joined = rows.map((row) => ({
    userId: row.referrer_id,
    type: 'community.member_joined' as const,
    data: { user_id: row.user_id, nickname: row.nickname },
    createdAt: row.joined_at,
  }));
  await recordDatedEvents(tx, joined);
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

async function insertMembers(tx: Transaction, tree: Tree, joins: readonly Join[]): Promise<void> {
  if (joins.length === 0) return;
  const directs = new Map<number, number>();
  const rows = joins.map(({ userId, referrerId, joinNo }) => {
    const referrer = referrerId === null ? undefined : tree.get(referrerId);
    const directNo = referrer ? (directs.get(referrer.userId) ?? referrer.directCount) + 1 : 0;
    if (referrer) directs.set(referrer.userId, directNo);
    return { userId, referrerId, joinNo, directNo, node: tree.get(userId) };
  });
  await execute(tx, INSERT_MEMBERS, {
    users: rows.map((r) => r.userId),
    referrers: rows.map((r) => r.referrerId),
    depths: rows.map((r) => r.node?.depth),
    join_nos: rows.map((r) => r.joinNo),
    direct_nos: rows.map((r) => r.directNo),
  });
  await execute(tx, UPDATE_LAST_JOIN, { join_no: joins.at(-1)?.joinNo });
}

const STATS_COLUMNS = ':users::bigint[], :directs::int[], :downlines::int[], :amounts::numeric[]';

const INSERT_STATS = defineStatement(
  'community_insert_stats',
  `insert into community_stats (user_id, direct_count, downline_count, downline_amount)
  select * from unnest(${STATS_COLUMNS})`,
);

const UPDATE_STATS = defineStatement(
  'community_update_stats',
  `update community_stats s set direct_count = s.direct_count + d.direct,
    downline_count = s.downline_count + d.downline,
    downline_amount = s.downline_amount + d.amount
  from unnest(${STATS_COLUMNS}) d (user_id, direct, downline, amount)
  where s.user_id = d.user_id`,
);

async function writeFigures(tx: Transaction, tree: Tree): Promise<void> {
  const nodes = [...tree.values()];
  const fresh = nodes.filter((node) => node.isNew);
  const changed = nodes.filter(
    (node) => !node.isNew && (node.newDownline > 0 || node.newAmount !== 0n),
  );
  const columns = (list: typeof nodes) => ({
    users: list.map((n) => n.userId),
    directs: list.map((n) => n.newDirect),
    downlines: list.map((n) => n.newDownline),
    amounts: list.map((n) => n.newAmount.toString()),
  });
  if (fresh.length > 0) await execute(tx, INSERT_STATS, columns(fresh));
  if (changed.length > 0) await execute(tx, UPDATE_STATS, columns(changed));
}

const APPEND = defineStatement(
  'community_append',
  `insert into community_downline (owner_id, seq, join_no)
  select * from unnest(:owners::bigint[], :seqs::int[], :join_nos::int[])`,
);

async function writeLists(tx: Transaction, tree: Tree, joins: readonly Join[]): Promise<void> {
  const { ownerIds, seqs, joinNos } = appendToLists(tree, joins);
  if (ownerIds.length > 0) await execute(tx, APPEND, { owners: ownerIds, seqs, join_nos: joinNos });
  const unlisted = [...tree.values()].filter((node) => {
    const descendant = tree.get(node.indexedDescendantId ?? 0);
    return (
      !node.isIndexed &&
      node.newDownline > 0 &&
      shouldMaterialise(
        node.downlineCount + node.newDownline,
        node.indexedCount + (descendant?.newDownline ?? 0),
      )
    );
  });
  if (unlisted.length > 0)
    await tx.query(
      `insert into community_downline_build (owner_id)
        select unnest($1::bigint[]) on conflict do nothing`,
      [unlisted.map((node) => node.userId)],
    );
}

const ADD_DEPTH_TOTALS = defineStatement(
  'community_add_depth_totals',
  `insert into community_depth_total as t (owner_id, depth, members, amount)
  select * from unnest(:owners::bigint[], :depths::int[], :members::int[], :amounts::numeric[])
  on conflict (owner_id, depth) do update
    set members = t.members + excluded.members, amount = t.amount + excluded.amount`,
);

async function writeDepthTotals(
  tx: Transaction,
  tree: Tree,
  amounts: PurchaseTotals,
): Promise<void> {
  const changes = addToDepthTotals(tree, amounts);
  if (changes.length === 0) return;
  await execute(tx, ADD_DEPTH_TOTALS, {
    owners: changes.map((c) => c.ownerId),
    depths: changes.map((c) => c.depth),
    members: changes.map((c) => c.members),
    amounts: changes.map((c) => c.amount.toString()),
  });
}

async function takeRenames(tx: Transaction, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return;
  await tx.query('update community_state set revision = revision + 1');
  await tx.query(
    `update community_member m set name = fold_for_search(u.nickname), email = u.email_key
      from app_user u where u.id = m.user_id and m.user_id = any($1)`,
    [userIds],
  );
}

const setJoins = (isOn: 'on' | 'off'): string =>
  `select set_config('enable_hashjoin', '${isOn}', true),
    set_config('enable_mergejoin', '${isOn}', true)`;

/** Updates the tree by events. */
export async function applyEvents(tx: Transaction, events: readonly Event[]): Promise<void> {
  if (events.length === 0) return;
  // Hash and merge joins read whole tables here; each ancestor is one index lookup.
  await tx.query(setJoins('off'));
  const amounts = sumAmounts(events);
  const changed = events.filter(({ kind }) => kind !== 'rename').map(({ user_id }) => user_id);
  if (changed.length > 0) {
    const { tree, joins } = await loadTree(tx, [...new Set(changed)]);
    accumulate(tree, amounts);
    await insertMembers(tx, tree, joins);
    await writeFigures(tx, tree);
    await writeLists(tx, tree, joins);
    await writeDepthTotals(tx, tree, amounts);
    await recordJoins(tx, events);
  }
  await takeRenames(
    tx,
    events.filter(({ kind }) => kind === 'rename').map((event) => event.user_id),
  );
  await tx.query(setJoins('on'));
}

const HAS_WORK = defineStatement(
  'community_has_work',
  `select exists (select from community_event)
    or exists (select from community_downline_build) as found`,
);

/** Without locks: an idle service runs only this. */
async function hasWork(db: Db): Promise<boolean> {
  return (await execute<{ found: boolean }>(db, HAS_WORK, {})).rows[0]?.found ?? false;
}

/** Runs `work` in one transaction as the tree's only writer. */
export async function withTreeLock<T>(db: Db, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return transaction(db, async (tx) => {
    await takeLock(tx, ADVISORY_LOCKS.referralTree);
    return work(tx);
  });
}

/** The same without a limit of time. */
export async function withTreeLockUnlimited<T>(
  db: Db,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return withTreeLock(db, async (tx) => {
    await tx.query('set local statement_timeout = 0');
    await tx.query('set local idle_in_transaction_session_timeout = 0');
    return work(tx);
  });
}

/**
 * Applies every event committed so far, or as many as the time allows. Can be killed and run again,
 * on any instance.
 */
export async function rollUp(db: Db, limit_ms: number = Number.POSITIVE_INFINITY): Promise<void> {
  const started = performance.now();
  while (performance.now() - started < limit_ms && (await hasWork(db))) {
    await withTreeLock(db, async (tx) =>
      applyEvents(tx, (await execute<Event>(tx, TAKE, { limit: EVENTS_MAX })).rows),
    );
    await withTreeLock(db, (tx) => buildListPiece(tx));
  }
}
