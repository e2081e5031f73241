/**
 * A tree shaped like real ones: most users refer no other, few refer thousands. 100,000 users, then
 * further joins.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listMembers, type MemberSource } from '../../src/community/list-members.ts';
import { rebuildCommunity } from '../../src/community/rebuild-community.ts';
import { rollUp } from '../../src/community/roll-up.ts';
import type { MemberFilters } from '../../src/community/schemas.ts';
import { createMatchCache } from '../../src/community/search-cache.ts';
import { verifyCommunity } from '../../src/community/verify-community.ts';
import type { Database } from '../../src/db/index.ts';
import { openTestDatabase } from '../support/databases.ts';
import { sized } from '../support/scale.ts';
import {
  createRandom,
  enqueueJoins,
  insertPeople,
  type Oracle,
  readOracle,
  selectByOracle,
} from './tree-oracle.ts';

const PEOPLE = sized({ quick: 10_000, full: 100_000, soak: 100_000 });
const LATER = PEOPLE / 50;
const random = createRandom(4711);

/** A user with more referrals is more likely to be the next referrer. */
function createHeavyTail(): (i: number) => number {
  const ends = [0];
  return (i) => {
    if (i === 0) return -1;
    const parent = random(4) === 0 ? random(i) : (ends[random(ends.length)] ?? 0);
    ends.push(parent, parent, parent, i);
    return parent;
  };
}

let database: Database;
let source: MemberSource;
let oracle: Oracle;

beforeAll(async () => {
  database = await openTestDatabase('server', { isOwner: true });
  source = { db: database, matches: createMatchCache(), scale: 18 };
  const parentOf = createHeavyTail();
  await insertPeople(database, PEOPLE, parentOf);
  await rebuildCommunity(database);
  await insertPeople(database, LATER, parentOf, '2026-03-01');
  await enqueueJoins(database);
  await rollUp(database);
  oracle = await readOracle(database);
});
afterAll(() => database.close());

test('is heavy-tailed, and its figures and lists equal the recomputed ones', async () => {
  const largest = Math.max(...[...oracle.children.values()].map((children) => children.length));
  expect(largest).toBeGreaterThan(PEOPLE / 200);
  expect(oracle.children.size).toBeLessThan(PEOPLE / 2);
  expect(await verifyCommunity(database)).toMatchObject({ members: PEOPLE + LATER, problems: [] });
});

const FILTERS: MemberFilters[] = [
  {},
  { beginDate: '2026-01-20', endDate: '2026-02-02' },
  { beginDate: '2026-03-01' },
  { keyword: 'anne' },
  { keyword: 'ann 12' },
  { keyword: '王', endDate: '2026-01-10' },
  { keyword: 'member99' },
];

test('pages of a large, a medium and a small downline equal the naive recursion', async () => {
  const byReferrals = [...oracle.children]
    .sort((a, b) => b[1].length - a[1].length)
    .map(([id]) => id);
  const viewers = [
    1,
    byReferrals[0],
    byReferrals[1],
    byReferrals[20],
    byReferrals[400],
    byReferrals.at(-1),
  ].filter((id) => id !== undefined);
  for (const viewerId of viewers) {
    for (const filters of FILTERS.flatMap((some) => [
      { ...some, type: 'DIRECT' as const },
      { ...some, type: 'COMMUNITY' as const },
    ])) {
      const expected = selectByOracle(oracle, viewerId, filters);
      const pages = Math.max(1, Math.ceil(expected.length / 20));
      for (const current of new Set([1, pages, 1 + random(pages)])) {
        const page = await listMembers(source, viewerId, { ...filters, current, size: 20 });
        const label = JSON.stringify({ viewerId, filters, current });
        expect(page.total, label).toBe(expected.length);
        expect(
          page.records.map((record) => record.user_id),
          label,
        ).toEqual(expected.slice((current - 1) * 20, current * 20));
      }
    }
  }
});
