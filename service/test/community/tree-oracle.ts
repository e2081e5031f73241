/** The referral tree, computed naively in memory by recursion: every answer is compared with it. */

import type { MemberFilters } from '../../src/community/schemas.ts';
import type { Database, Db } from '../../src/db/index.ts';

export interface OracleUser {
  readonly id: number;
  readonly referrerId: number | null;
  readonly nickname: string;
  readonly email: string;
  readonly joinedAt: Date;
}

export interface Oracle {
  readonly users: ReadonlyMap<number, OracleUser>;
  readonly children: ReadonlyMap<number, OracleUser[]>;
  readonly purchases: ReadonlyMap<number, bigint>;
}

/** A generator of numbers below `n`, the same for the same seed. */
export function createRandom(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

const NAMES = [
  'Ann',
  'Änne',
  'José',
  'Jose',
  'WANG',
  '王小明',
  'Łukasz',
  'Straße',
  'a%b',
  'under_score',
  'back\\slash',
  "O'Hara",
  '=cmd()',
  'Йод',
  '😀 Smile',
  'e\u0301lan',
];

/**
 * Inserts users into a database without others: the i-th of all has the id i + 1 and was referred
 * by the one at `parentOf(i)` (an index; -1 for none). They join one after the other, 40 days from
 * `start`. @returns the ids of those inserted now
 */
export async function insertPeople(
  db: Db,
  count: number,
  parentOf: (index: number) => number,
  start = '2026-01-01',
): Promise<number[]> {
  const { rows } = await db.query<{ last: number }>(
    'select coalesce(max(id), 0) as last from app_user',
  );
  const base = rows[0]?.last ?? 0;
  const start_ms = Date.parse(`${start}T00:00:00Z`);
  for (let from = 0; from < count; from += 20_000) {
    const indexes = Array.from(
      { length: Math.min(20_000, count - from) },
      (_, i) => base + from + i,
    );
    const parents = indexes.map(parentOf);
    await db.query(
      `insert into app_user (id, email, email_key, nickname, referral_code, referrer_id,
        created_at) overriding system value
       select id, email, lower(email), nickname, 'C' || id, referrer_id, created_at
       from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::timestamptz[]) u (id,
         email, nickname, referrer_id, created_at)`,
      [
        indexes.map((i) => i + 1),
        indexes.map(
          (i) =>
            `Member${i + 1}.${NAMES[i % 5]
              ?.normalize('NFKD')
              .replace(/[^A-Za-z]/g, '')}@example.test`,
        ),
        indexes.map((i) => `${NAMES[i % NAMES.length]} ${i}`),
        parents.map((parent) => (parent < 0 ? null : parent + 1)),
        indexes.map((i) => new Date(start_ms + Math.floor(((i - base) * 40 * 86_400_000) / count))),
      ],
    );
  }
  await db.query("select setval(pg_get_serial_sequence('app_user', 'id'), $1)", [base + count]);
  return Array.from({ length: count }, (_, i) => base + i + 1);
}

/** Queues users for the roll-up that were inserted without its hook. */
export async function enqueueJoins(db: Db): Promise<void> {
  await db.query(
    `insert into community_event (kind, user_id) select 'join', id from app_user u
     where not exists (select from community_member m where m.user_id = u.id)
       and not exists (select from community_event e where e.kind = 'join' and e.user_id = u.id)
     order by id`,
  );
}

export async function readOracle(database: Database): Promise<Oracle> {
  const { rows } = await database.query<OracleUser & { amount: string | null }>(
    `select u.id, u.referrer_id as "referrerId", u.nickname, u.email, m.joined_at as "joinedAt",
      p.amount from app_user u
     join community_member m on m.user_id = u.id left join community_purchase_total p
       on p.user_id = u.id`,
  );
  const children = new Map<number, OracleUser[]>();
  for (const user of rows) {
    if (user.referrerId === null) continue;
    const siblings = children.get(user.referrerId) ?? [];
    siblings.push(user);
    children.set(user.referrerId, siblings);
  }
  return {
    users: new Map(rows.map((user) => [user.id, user])),
    children,
    purchases: new Map(
      rows.filter((row) => row.amount !== null).map((row) => [row.id, BigInt(row.amount ?? 0)]),
    ),
  };
}

/** All members below a user, with the distance. */
export function downlineOf(oracle: Oracle, userId: number): { user: OracleUser; level: number }[] {
  const found: { user: OracleUser; level: number }[] = [];
  const open = [{ id: userId, level: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    for (const user of oracle.children.get(next.id) ?? []) {
      found.push({ user, level: next.level + 1 });
      open.push({ id: user.id, level: next.level + 1 });
    }
  }
  return found;
}

const SPECIAL: Readonly<Record<string, string>> = { ß: 'ss', ł: 'l', Ł: 'l', æ: 'ae', ø: 'o' };

function fold(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return [...plain].map((char) => SPECIAL[char] ?? char).join('');
}

interface Words {
  readonly name: string;
  readonly address: string;
  readonly day: string;
}

/** The compared fields of a user: folded once, because every viewer and filter uses them. */
const known = new WeakMap<OracleUser, Words>();

function wordsOf(user: OracleUser): Words {
  const words = known.get(user) ?? {
    name: fold(user.nickname),
    address: user.email.toLowerCase(),
    day: user.joinedAt.toISOString().slice(0, 10),
  };
  known.set(user, words);
  return words;
}

/** Ids of the members that the filters select, newest first. */
export function selectByOracle(
  oracle: Oracle,
  viewerId: number,
  { keyword = '', beginDate, endDate, type = 'DIRECT' }: MemberFilters,
): number[] {
  const [part, text] = [fold(keyword), keyword.toLowerCase()];
  return downlineOf(oracle, viewerId)
    .filter(({ level }) => type === 'COMMUNITY' || level === 1)
    .filter(({ user, level }) => {
      const { name, address, day } = wordsOf(user);
      if ((beginDate !== undefined && day < beginDate) || (endDate !== undefined && day > endDate))
        return false;
      return (
        keyword === '' ||
        name.includes(part) ||
        address === text ||
        (level === 1 && address.includes(text))
      );
    })
    .sort((a, b) => b.user.joinedAt.getTime() - a.user.joinedAt.getTime() || b.user.id - a.user.id)
    .map(({ user }) => user.id);
}

/** Purchases of all members below a user. */
export function performanceOf(oracle: Oracle, userId: number): bigint {
  return downlineOf(oracle, userId).reduce(
    (sum, { user }) => sum + (oracle.purchases.get(user.id) ?? 0n),
    0n,
  );
}
