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
  type TreeNode,
} from './tree.ts';
import {
  addFigures,
  type FiguresRow,
  insertFigures,
  insertMembers,
  requestLists,
} from './write-tree.ts';

const EVENTS_MAX = 2000;

export interface Event {
  readonly kind: 'join' | 'amount' | 'rename';
  readonly user_id: number;
  readonly amount: string;
}

const TAKE_EVENTS = defineStatement(
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

async function addMembers(tx: Transaction, tree: Tree, joins: readonly Join[]): Promise<void> {
  const directs = new Map<number, number>();
  const rows = joins.map(({ userId, referrerId, joinNo }) => {
    const referrer = referrerId === null ? undefined : tree.get(referrerId);
    const directNo = referrer ? (directs.get(referrer.userId) ?? referrer.directCount) + 1 : 0;
    if (referrer) directs.set(referrer.userId, directNo);
    return { userId, referrerId, joinNo, directNo, depth: tree.get(userId)?.depth ?? 0 };
  });
  await insertMembers(tx, rows);
}

async function writeFigures(tx: Transaction, tree: Tree): Promise<void> {
  const nodes = [...tree.values()];
  const toRow = (node: TreeNode): FiguresRow => ({
    userId: node.userId,
    directCount: node.newDirect,
    downlineCount: node.newDownline,
    downlineAmount: node.newAmount,
  });
  const isChanged = (node: TreeNode): boolean => node.newDownline > 0 || node.newAmount !== 0n;
  await insertFigures(tx, nodes.filter((node) => node.isNew).map(toRow));
  await addFigures(tx, nodes.filter((node) => !node.isNew && isChanged(node)).map(toRow));
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
  await requestLists(
    tx,
    unlisted.map((node) => node.userId),
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
    await addMembers(tx, tree, joins);
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
export async function hasWork(db: Db): Promise<boolean> {
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
      applyEvents(tx, (await execute<Event>(tx, TAKE_EVENTS, { limit: EVENTS_MAX })).rows),
    );
    await withTreeLock(db, (tx) => buildListPiece(tx));
  }
}
