/**
 * Makes the whole tree anew from `app_user` and the purchases, set by set: after an import of people, or a repair.
 * One transaction; until it commits, everybody reads the tree as it was.
 */
import type { Db, Transaction } from '../db/index.ts';
import { type Edge, type Recomputed, recomputeTree } from './recompute-tree.ts';
import { withTreeLockUnlimited } from './roll-up.ts';
import { shouldMaterialise } from './tree.ts';

const CHUNK = 50_000;

interface Person extends Edge {
  readonly createdAt: number;
}

/** People in the order of ids. A referrer commits before those it refers, so who lacks one comes later, by an event. */
async function readPeople(tx: Transaction): Promise<Person[]> {
  const people: Person[] = [];
  const ids = new Set<number>();
  for (let last = 0; ; ) {
    const { rows } = await tx.query<{ id: number; referrer_id: number | null; created_at: Date }>(
      'select id, referrer_id, created_at from app_user where id > $1 order by id limit $2',
      [last, CHUNK],
    );
    for (const { id, referrer_id, created_at } of rows) {
      if (referrer_id !== null && !ids.has(referrer_id)) continue;
      ids.add(id);
      people.push({
        userId: id,
        referrerId: referrer_id,
        createdAt: created_at.getTime(),
        joinNo: 0,
      });
    }
    if (rows.length < CHUNK) break;
    last = rows.at(-1)?.id ?? last;
  }
  const numbers = new Map(
    [...people]
      .sort((a, b) => a.createdAt - b.createdAt || a.userId - b.userId)
      .map(({ userId }, index) => [userId, index + 1]),
  );
  return people.map((person) => ({ ...person, joinNo: numbers.get(person.userId) ?? 0 }));
}

/** Purchases so far; the events that tell of them, and of people who are there now, leave the queue in the same snapshot. */
async function takePurchases(tx: Transaction): Promise<Map<number, bigint>> {
  const { rows } = await tx.query<{ user_id: number; amount: string }>(
    `with taken as (delete from community_event where kind <> 'join' returning id)
     select user_id, amount from community_purchase_total where (select count(*) from taken) >= 0`,
  );
  return new Map(rows.map((row) => [row.user_id, BigInt(row.amount)]));
}

/** Calls `write` with slices of `items`. */
async function inChunks<T>(
  items: readonly T[],
  write: (chunk: readonly T[]) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < items.length; from += CHUNK)
    await write(items.slice(from, from + CHUNK));
}

async function writeMembers(
  tx: Transaction,
  people: readonly Person[],
  { depths, placeOf }: Recomputed,
): Promise<void> {
  const directs = new Map<number, number>();
  const inOrder = people.toSorted((a, b) => a.joinNo - b.joinNo);
  await inChunks(inOrder, (chunk) => {
    const directNos = chunk.map(({ referrerId }) => {
      if (referrerId === null) return 0;
      const next = (directs.get(referrerId) ?? 0) + 1;
      directs.set(referrerId, next);
      return next;
    });
    return tx.query(
      `insert into community_member (user_id, referrer_id, depth, join_no, direct_no, joined_at, name, email)
       select n.user_id, u.referrer_id, n.depth, n.join_no, n.direct_no,
         greatest(s.last_joined_at, max(u.created_at - n.i * interval '1 microsecond') over (order by n.i)) + n.i * interval '1 microsecond',
         community_fold(u.nickname), u.email_key
       from unnest($1::bigint[], $2::int[], $3::int[], $4::int[]) with ordinality n (user_id, depth, join_no, direct_no, i)
       join app_user u on u.id = n.user_id cross join (select coalesce(max(joined_at), '-infinity') as last_joined_at from community_member) s`,
      [
        chunk.map((p) => p.userId),
        chunk.map((p) => depths[placeOf.get(p.userId) ?? -1] ?? 0),
        chunk.map((p) => p.joinNo),
        directNos,
      ],
    );
  });
  await tx.query(
    `update community_state set last_join_no = $1, revision = revision + 1, epoch = epoch + 1,
       last_joined_at = coalesce((select joined_at from community_member where join_no = $1), '-infinity')`,
    [people.length],
  );
}

/** Chooses who gets a list, from the tips upward: the same rule as the roll-up's. */
function chooseLeads(
  people: readonly Person[],
  { parents, downlineCounts }: Recomputed,
): { leads: Set<number>; heavy: Int32Array } {
  const leads = new Set<number>();
  const heavy = new Int32Array(people.length).fill(-1);
  for (let place = people.length - 1; place >= 0; place--) {
    const through = heavy[place] ?? -1;
    const isLead = shouldMaterialise(
      downlineCounts[place] ?? 0,
      through < 0 ? 0 : (downlineCounts[through] ?? 0),
    );
    if (isLead) {
      leads.add(place);
      heavy[place] = -1;
    }
    const offered = isLead ? place : through;
    const parent = parents[place] ?? -1;
    if (parent < 0 || offered < 0) continue;
    const known = heavy[parent] ?? -1;
    if (known < 0 || (downlineCounts[known] ?? 0) < (downlineCounts[offered] ?? 0))
      heavy[parent] = offered;
  }
  return { leads, heavy };
}

async function writeLists(
  tx: Transaction,
  people: readonly Person[],
  { parents, placeOf }: Recomputed,
  leads: ReadonlySet<number>,
): Promise<void> {
  const nearest = new Int32Array(people.length).fill(-1);
  const lengths = new Map<number, number>();
  const rows: { leadId: number; seq: number; joinNo: number }[] = [];
  const flush = async (): Promise<void> => {
    // In the order of the primary key, so that a list lies together on disk.
    rows.sort((a, b) => a.leadId - b.leadId || a.seq - b.seq);
    await inChunks(rows, (chunk) =>
      tx.query(
        'insert into community_list (lead_id, seq, join_no) select * from unnest($1::bigint[], $2::int[], $3::int[])',
        [
          chunk.map((row) => row.leadId),
          chunk.map((row) => row.seq),
          chunk.map((row) => row.joinNo),
        ],
      ),
    );
    rows.length = 0;
  };
  people.forEach((_, place) => {
    const parent = parents[place] ?? -1;
    nearest[place] = leads.has(place) ? place : parent < 0 ? -1 : (nearest[parent] ?? -1);
  });
  for (const { userId, joinNo } of people.toSorted((a, b) => a.joinNo - b.joinNo)) {
    const above = parents[placeOf.get(userId) ?? -1] ?? -1;
    for (let lead = above < 0 ? -1 : (nearest[above] ?? -1); lead >= 0; ) {
      const seq = (lengths.get(lead) ?? 0) + 1;
      lengths.set(lead, seq);
      rows.push({ leadId: people[lead]?.userId ?? 0, seq, joinNo });
      const next = parents[lead] ?? -1;
      lead = next < 0 ? -1 : (nearest[next] ?? -1);
    }
    if (rows.length >= 20 * CHUNK) await flush();
  }
  await flush();
}

async function writeStats(
  tx: Transaction,
  people: readonly Person[],
  truth: Recomputed,
  leads: ReadonlySet<number>,
  heavy: Int32Array,
): Promise<void> {
  const places = people.map((_, place) => place);
  await inChunks(places, (chunk) =>
    tx.query(
      `insert into community_stats (user_id, direct_count, downline_count, downline_amount, is_lead, heavy_lead_id)
       select * from unnest($1::bigint[], $2::int[], $3::int[], $4::numeric[], $5::boolean[], $6::bigint[])`,
      [
        chunk.map((place) => people[place]?.userId),
        chunk.map((place) => truth.directCounts[place]),
        chunk.map((place) => truth.downlineCounts[place]),
        chunk.map((place) => (truth.amounts.get(place) ?? 0n).toString()),
        chunk.map((place) => leads.has(place)),
        chunk.map((place) => people[heavy[place] ?? -1]?.userId ?? null),
      ],
    ),
  );
}

/** Levels of the leads, from the tips upward: a lead adds its own levels, and itself, to the next one above. */
async function writeLevels(
  tx: Transaction,
  people: readonly Person[],
  { parents, depths }: Recomputed,
  { leads, own }: { leads: ReadonlySet<number>; own: ReadonlyMap<number, bigint> },
): Promise<void> {
  const levels = new Map<number, Map<number, { members: number; amount: bigint }>>();
  const add = (place: number, depth: number, members: number, amount: bigint): void => {
    const ofPlace = levels.get(place) ?? new Map<number, { members: number; amount: bigint }>();
    const level = ofPlace.get(depth) ?? { members: 0, amount: 0n };
    ofPlace.set(depth, { members: level.members + members, amount: level.amount + amount });
    levels.set(place, ofPlace);
  };
  const nearestAbove = new Int32Array(people.length).fill(-1);
  people.forEach((_, place) => {
    const parent = parents[place] ?? -1;
    nearestAbove[place] = parent < 0 || leads.has(parent) ? parent : (nearestAbove[parent] ?? -1);
  });
  for (let place = people.length - 1; place >= 0; place--) {
    const above = nearestAbove[place] ?? -1;
    if (above < 0) continue;
    add(above, depths[place] ?? 0, 1, own.get(people[place]?.userId ?? 0) ?? 0n);
    for (const [depth, { members, amount }] of levels.get(place) ?? [])
      add(above, depth, members, amount);
  }
  const rows = [...levels].flatMap(([place, ofPlace]) =>
    [...ofPlace].map(([depth, level]) => ({ leadId: people[place]?.userId, depth, ...level })),
  );
  await inChunks(rows, (chunk) =>
    tx.query(
      'insert into community_level (lead_id, depth, members, amount) select * from unnest($1::bigint[], $2::int[], $3::int[], $4::numeric[])',
      [
        chunk.map((row) => row.leadId),
        chunk.map((row) => row.depth),
        chunk.map((row) => row.members),
        chunk.map((row) => row.amount.toString()),
      ],
    ),
  );
}

/** @returns true when there was nothing, and so nobody who reads it */
async function empty(tx: Transaction): Promise<boolean> {
  const { rowCount } = await tx.query('select from community_member limit 1');
  // Row by row: a truncation would make every reader wait.
  for (const table of [
    'community_member',
    'community_stats',
    'community_list',
    'community_list_build',
    'community_level',
  ])
    await tx.query(`delete from ${table}`);
  return rowCount === 0;
}

/** Makes everything anew; people and purchases that arrive meanwhile wait in the queue. */
export async function rebuildCommunity(db: Db): Promise<void> {
  await withTreeLockUnlimited(db, async (tx) => {
    const isFirst = await empty(tx);
    // An index is made in one go much faster than entry by entry.
    if (isFirst) await tx.query('drop index community_member_name_idx');
    const own = await takePurchases(tx);
    const people = await readPeople(tx);
    const truth = recomputeTree(people, own);
    const { leads, heavy } = chooseLeads(people, truth);
    await writeMembers(tx, people, truth);
    await writeStats(tx, people, truth, leads, heavy);
    await writeLists(tx, people, truth, leads);
    await writeLevels(tx, people, truth, { leads, own });
    if (isFirst)
      await tx.query(
        'create index community_member_name_idx on community_member using gin (name gin_trgm_ops)',
      );
    await tx.query('analyze community_member, community_stats, community_list');
  });
}
