/**
 * Recomputes the whole tree from `app_user.referrer_id` and the purchases, and compares it with the
 * stored figures, ordinals and lists. Works while the service runs: it empties the queue first,
 * then reads one snapshot.
 */
import { type Db, queryNamed, type Transaction, transaction } from '../db/index.ts';
import { type Edge, type Recomputed, recomputeTree } from './recompute-tree.ts';
import { rollUp } from './roll-up.ts';
import { compareLevels, readLevels } from './verify-levels.ts';
import { findOrphans } from './verify-rows.ts';

export interface CommunityReport {
  readonly members: number;
  readonly lists: number;
  /** The first differences; empty: none. */
  readonly problems: readonly string[];
}

const CHUNK = 50_000;
const PROBLEMS_MAX = 20;
const DRAIN_MS = 10_000;

interface StoredMember extends Edge {
  readonly truth: number | null;
  readonly depth: number;
  readonly directNo: number;
  readonly joinedAt: Date;
  readonly directCount: number;
  readonly downlineCount: number;
  readonly downlineAmount: string;
  readonly isIndexed: boolean;
  readonly indexedDescendantId: number | null;
}

async function readMembers(tx: Transaction): Promise<StoredMember[]> {
  const all: StoredMember[] = [];
  for (;;) {
    const { rows } = await queryNamed<StoredMember>(
      tx,
      `select m.user_id as "userId", m.referrer_id as "referrerId", u.referrer_id as truth,
          m.depth, m.join_no as "joinNo", m.direct_no as "directNo", m.joined_at as "joinedAt",
          s.direct_count as "directCount", s.downline_count as "downlineCount",
          s.downline_amount as "downlineAmount", s.is_indexed as "isIndexed",
          s.indexed_descendant_id as "indexedDescendantId"
        from community_member m
          join community_stats s on s.user_id = m.user_id
          join app_user u on u.id = m.user_id
        where m.user_id > :user_id order by m.user_id limit :chunk`,
      { user_id: all.at(-1)?.userId ?? 0, chunk: CHUNK },
    );
    for (const row of rows) all.push(row);
    if (rows.length < CHUNK) return all;
  }
}

/** Net purchases that the roll-up has applied: all less those in the queue, in one snapshot. */
async function readPurchases(tx: Transaction): Promise<Map<number, bigint>> {
  const { rows } = await tx.query<{ user_id: number; amount: string }>(
    `select user_id, sum(amount) as amount from (
       select user_id, amount - refunded as amount from package_purchase
       union all select user_id, -amount from community_event where kind = 'amount'
     ) x group by user_id`,
  );
  return new Map(rows.map((row) => [row.user_id, BigInt(row.amount)]));
}

interface ListRow {
  readonly owner_id: number;
  readonly length: number;
  readonly last_seq: number;
  readonly sum: number;
  readonly disordered: number;
}

async function readLists(tx: Transaction): Promise<Map<number, ListRow>> {
  const { rows } = await tx.query<ListRow>(
    `select owner_id, count(*) as length, max(seq) as last_seq, sum(join_no)::bigint as sum,
        count(*) filter (where join_no <= before) as disordered
      from (
        select owner_id, seq, join_no,
          lag(join_no) over (partition by owner_id order by seq) as before
        from community_downline
      ) l
      where not exists (select from community_downline_build b where b.owner_id = l.owner_id)
      group by owner_id`,
  );
  return new Map(rows.map((row) => [row.owner_id, row]));
}

/** True when no other indexed member is between the two: `indexed_descendant_id` may name it. */
function isReadThrough(
  members: readonly StoredMember[],
  { parents, placeOf }: Recomputed,
  place: number,
  ownerId: number,
): boolean {
  let at = placeOf.get(ownerId) ?? -1;
  if (at < 0 || !members[at]?.isIndexed) return false;
  do at = parents[at] ?? -1;
  while (at >= 0 && at !== place && !members[at]?.isIndexed);
  return at === place;
}

function compareMember(member: StoredMember, place: number, truth: Recomputed): string[] {
  const wrong: [string, unknown, unknown][] = [
    ['referrer', member.referrerId, member.truth],
    ['depth', member.depth, truth.depths[place]],
    ['direct count', member.directCount, truth.directCounts[place]],
    ['downline count', member.downlineCount, truth.downlineCounts[place]],
    ['performance', BigInt(member.downlineAmount), truth.amounts.get(place) ?? 0n],
  ];
  return wrong
    .filter(([, stored, right]) => stored !== right)
    .map(([what, stored, right]) => `user ${member.userId}: ${what} is ${stored}, not ${right}`);
}

function compareList(
  member: StoredMember,
  place: number,
  truth: Recomputed,
  list: ListRow | undefined,
): string[] {
  if (!member.isIndexed)
    return list ? [`user ${member.userId}: has a list but is not indexed`] : [];
  const count = truth.downlineCounts[place];
  if (!list || list.length !== count || list.last_seq !== count)
    return [`list of ${member.userId}: holds ${list?.length ?? 0} members, not ${count}`];
  if (list.disordered > 0)
    return [`list of ${member.userId}: ${list.disordered} members stand before earlier ones`];
  return list.sum === truth.listSums[place]
    ? []
    : [`list of ${member.userId}: holds other members than the downline`];
}

/** Join numbers without gaps, times in their order, direct referrals numbered in the same order. */
function compareOrder(members: readonly StoredMember[]): string[] {
  const problems: string[] = [];
  const directs = new Map<number, number>();
  let before = Number.NEGATIVE_INFINITY;
  const inOrder = [...members].sort((a, b) => a.joinNo - b.joinNo);
  inOrder.forEach(({ userId, referrerId, joinNo, joinedAt, directNo }, index) => {
    if (joinNo !== index + 1)
      problems.push(`user ${userId}: join number is ${joinNo}, not ${index + 1}`);
    if (joinedAt.getTime() < before)
      problems.push(`user ${userId}: joined before the member numbered one less`);
    before = joinedAt.getTime();
    const expected = referrerId === null ? 0 : (directs.get(referrerId) ?? 0) + 1;
    if (referrerId !== null) directs.set(referrerId, expected);
    if (directNo !== expected)
      problems.push(`user ${userId}: direct number is ${directNo}, not ${expected}`);
  });
  return problems;
}

/** Another process has the lock of the tree, for example for a rebuild: the queue is not stuck. */
const BUSY: ReadonlySet<string> = new Set(['57014', '55P03']);

/** One snapshot, without a lock that the roll-up would wait for. */
async function inSnapshot<T>(db: Db, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return transaction(db, async (tx) => {
    await tx.query('set transaction isolation level repeatable read');
    await tx.query('set local statement_timeout = 0');
    await tx.query('set local idle_in_transaction_session_timeout = 0');
    return work(tx);
  });
}

/** Applies the queue: with a stuck queue the figures would agree, but be old. */
async function drain(db: Db): Promise<string[]> {
  try {
    await rollUp(db, DRAIN_MS);
    return [];
  } catch (error) {
    if (BUSY.has((error as { code?: string }).code ?? '')) return [];
    return [`the queue stands still: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** Recomputes and compares everything. */
export async function verifyCommunity(db: Db): Promise<CommunityReport> {
  const stuck = await drain(db);
  return inSnapshot(db, async (tx) => {
    const members = await readMembers(tx);
    const purchases = await readPurchases(tx);
    const truth = recomputeTree(members, purchases);
    const lists = await readLists(tx);
    const problems = [
      ...stuck,
      ...(await findOrphans(tx)),
      ...compareOrder(members),
      ...compareLevels(members, truth, purchases, await readLevels(tx)),
    ];
    members.forEach((member, place) => {
      problems.push(...compareMember(member, place, truth));
      problems.push(...compareList(member, place, truth, lists.get(member.userId)));
      const { indexedDescendantId } = member;
      if (
        indexedDescendantId !== null &&
        !isReadThrough(members, truth, place, indexedDescendantId)
      )
        problems.push(
          `user ${member.userId}: reads through ${indexedDescendantId}, ` +
            'which is not the next list below',
        );
    });
    return {
      members: members.length,
      lists: lists.size,
      problems: problems.slice(0, PROBLEMS_MAX),
    };
  });
}
