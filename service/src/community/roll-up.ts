/**
 * The roll-up: takes a batch of events off the queue and brings the tree's figures and lists up to date, in one
 * transaction under one lock. A kill at any line leaves the batch in the queue. It takes rows, never a watermark:
 * an event that commits late is taken late, not lost.
 */
import { ADVISORY_LOCKS, type Db, type Transaction, takeLock, transaction } from '../db/index.ts';
import { type Join, loadTree } from './load-tree.ts';
import { buildListPiece } from './materialise-downlines.ts';
import {
  type Amounts,
  accumulate,
  addToLevels,
  appendToLists,
  shouldMaterialise,
  type Tree,
} from './tree.ts';

const BATCH = 2000;

interface Event {
  readonly kind: 'join' | 'amount' | 'rename';
  readonly user_id: number;
  readonly amount: string;
}

async function takeEvents(tx: Transaction): Promise<Event[]> {
  const { rows } = await tx.prepared<Event>(
    'community-take',
    'delete from community_event where id in (select id from community_event order by id limit $1) returning kind, user_id, amount',
    [BATCH],
  );
  return rows;
}

function sumAmounts(events: readonly Event[]): Amounts {
  const amounts = new Map<number, bigint>();
  for (const { kind, user_id, amount } of events) {
    if (kind === 'amount') amounts.set(user_id, (amounts.get(user_id) ?? 0n) + BigInt(amount));
  }
  return amounts;
}

/** Inserts the new members; times of joining become strictly increasing, so that their order is the order of numbers. */
async function insertMembers(tx: Transaction, tree: Tree, joins: readonly Join[]): Promise<void> {
  if (joins.length === 0) return;
  const directs = new Map<number, number>();
  const rows = joins.map(({ userId, referrerId, joinNo }) => {
    const referrer = referrerId === null ? undefined : tree.get(referrerId);
    const directNo = referrer ? (directs.get(referrer.userId) ?? referrer.directCount) + 1 : 0;
    if (referrer) directs.set(referrer.userId, directNo);
    return { userId, referrerId, joinNo, directNo, node: tree.get(userId) };
  });
  await tx.prepared(
    'community-insert-members',
    `insert into community_member (user_id, referrer_id, depth, join_no, direct_no, joined_at, name, email)
     select n.user_id, n.referrer_id, n.depth, n.join_no, n.direct_no,
       greatest(s.last_joined_at, max(u.created_at - n.i * interval '1 microsecond') over (order by n.i)) + n.i * interval '1 microsecond',
       community_fold(u.nickname), u.email_key
     from unnest($1::bigint[], $2::bigint[], $3::int[], $4::int[], $5::int[]) with ordinality n (user_id, referrer_id, depth, join_no, direct_no, i)
     join app_user u on u.id = n.user_id cross join community_state s`,
    [
      rows.map((r) => r.userId),
      rows.map((r) => r.referrerId),
      rows.map((r) => r.node?.depth),
      rows.map((r) => r.joinNo),
      rows.map((r) => r.directNo),
    ],
  );
  await tx.query(
    'update community_state set last_join_no = $1::int, last_joined_at = (select joined_at from community_member where join_no = $1::int)',
    [joins.at(-1)?.joinNo],
  );
}

async function writeFigures(tx: Transaction, tree: Tree): Promise<void> {
  const nodes = [...tree.values()];
  const fresh = nodes.filter((node) => node.isNew);
  const changed = nodes.filter(
    (node) => !node.isNew && (node.newDownline > 0 || node.newAmount !== 0n),
  );
  const columns = (list: typeof nodes) => [
    list.map((n) => n.userId),
    list.map((n) => n.newDirect),
    list.map((n) => n.newDownline),
    list.map((n) => n.newAmount.toString()),
  ];
  if (fresh.length > 0)
    await tx.prepared(
      'community-insert-stats',
      `insert into community_stats (user_id, direct_count, downline_count, downline_amount)
       select * from unnest($1::bigint[], $2::int[], $3::int[], $4::numeric[])`,
      columns(fresh),
    );
  if (changed.length > 0)
    await tx.prepared(
      'community-update-stats',
      `update community_stats s set direct_count = s.direct_count + d.direct, downline_count = s.downline_count + d.downline,
         downline_amount = s.downline_amount + d.amount
       from unnest($1::bigint[], $2::int[], $3::int[], $4::numeric[]) d (user_id, direct, downline, amount) where s.user_id = d.user_id`,
      columns(changed),
    );
}

async function writeLists(tx: Transaction, tree: Tree, joins: readonly Join[]): Promise<void> {
  const { leadIds, seqs, joinNos } = appendToLists(tree, joins);
  if (leadIds.length > 0)
    await tx.prepared(
      'community-append',
      'insert into community_list (lead_id, seq, join_no) select * from unnest($1::bigint[], $2::int[], $3::int[])',
      [leadIds, seqs, joinNos],
    );
  const wanting = [...tree.values()].filter(
    ({ isLead, newDownline, downlineCount, heavyLeadId, heavyCount }) => {
      const heavyNew = heavyLeadId === null ? 0 : (tree.get(heavyLeadId)?.newDownline ?? 0);
      return (
        !isLead &&
        newDownline > 0 &&
        shouldMaterialise(downlineCount + newDownline, heavyCount + heavyNew)
      );
    },
  );
  if (wanting.length > 0)
    await tx.query(
      'insert into community_list_build (lead_id) select unnest($1::bigint[]) on conflict do nothing',
      [wanting.map((n) => n.userId)],
    );
}

async function writeLevels(tx: Transaction, tree: Tree, amounts: Amounts): Promise<void> {
  const changes = addToLevels(tree, amounts);
  if (changes.length === 0) return;
  await tx.prepared(
    'community-add-levels',
    `insert into community_level as l (lead_id, depth, members, amount) select * from unnest($1::bigint[], $2::int[], $3::int[], $4::numeric[])
     on conflict (lead_id, depth) do update set members = l.members + excluded.members, amount = l.amount + excluded.amount`,
    [
      changes.map((c) => c.leadId),
      changes.map((c) => c.depth),
      changes.map((c) => c.members),
      changes.map((c) => c.amount.toString()),
    ],
  );
}

async function takeRenames(tx: Transaction, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return;
  const { rows } = await tx.query<{ revision: number }>(
    'update community_state set revision = revision + 1 returning revision',
  );
  await tx.query(
    `update community_member m set name = community_fold(u.nickname), email = u.email_key, renamed = $2
     from app_user u where u.id = m.user_id and m.user_id = any($1)`,
    [userIds, rows[0]?.revision],
  );
}

/** Takes in one batch. */
async function rollUpBatch(tx: Transaction): Promise<void> {
  const events = await takeEvents(tx);
  if (events.length === 0) return;
  // Hash and merge joins read whole tables here; the walk up wants an index probe per ancestor.
  await tx.query(
    "select set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)",
  );
  const amounts = sumAmounts(events);
  const grown = [
    ...new Set(events.filter(({ kind }) => kind !== 'rename').map((event) => event.user_id)),
  ];
  if (grown.length > 0) {
    const { tree, joins } = await loadTree(tx, grown);
    accumulate(tree, amounts);
    await insertMembers(tx, tree, joins);
    await writeFigures(tx, tree);
    await writeLists(tx, tree, joins);
    await writeLevels(tx, tree, amounts);
  }
  await takeRenames(
    tx,
    events.filter(({ kind }) => kind === 'rename').map((event) => event.user_id),
  );
  await tx.query(
    "select set_config('enable_hashjoin', 'on', true), set_config('enable_mergejoin', 'on', true)",
  );
}

/** A look without locks: an idle service asks nothing more than this. */
async function hasWork(db: Db): Promise<boolean> {
  const { rows } = await db.prepared<{ found: boolean }>(
    'community-has-work',
    'select exists (select from community_event) or exists (select from community_list_build) as found',
  );
  return rows[0]?.found ?? false;
}

/** Runs `work`, which reads everything, in one transaction as the tree's only writer, however long a statement takes. */
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

/** Runs `work` in one transaction as the tree's only writer. */
export async function withTreeLock<T>(db: Db, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return transaction(db, async (tx) => {
    await takeLock(tx, ADVISORY_LOCKS.referralTree);
    return work(tx);
  });
}

/**
 * Brings the tree up to date with every event committed so far, or as far as the time allows. Safe to kill and to run
 * again, from any node.
 */
export async function rollUp(db: Db, limit_ms: number = Number.POSITIVE_INFINITY): Promise<void> {
  const started = performance.now();
  while (performance.now() - started < limit_ms && (await hasWork(db))) {
    await withTreeLock(db, rollUpBatch);
    await withTreeLock(db, buildListPiece);
  }
}
