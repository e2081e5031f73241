import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createRandom,
  enqueueJoins,
  insertPeople,
  readOracle,
  selectByOracle,
} from '../../test/community/tree-oracle.ts';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { sized } from '../../test/support/scale.ts';
import type { Database } from '../db/index.ts';
import { addDays } from '../lib/calendar.ts';
import { listMembers, type MemberSource } from './list-members.ts';
import { rebuildCommunity } from './rebuild-community.ts';
import { rollUp } from './roll-up.ts';
import { createMatchCache } from './search-cache.ts';

const random = createRandom(99);
const KEYWORDS = ['ann', 'Wang', 'zed', '王', '1', 'member2', 'Member17.Anne@example.test'];

/**
 * Searches go through the index where a downline is beyond 5,000: in the chain also that of the
 * 50th, who searches too.
 */
const PEOPLE = sized({ quick: 5100, full: 5100, soak: 7000 });

/** The referrer of the i-th user, and how often the tree changes. */
const SHAPES = {
  bushes: { parentOf: (i: number) => (i === 0 ? -1 : random(Math.min(i, 2000))), rounds: 5 },
  'a chain': { parentOf: (i: number) => i - 1, rounds: 2 },
};
type Shape = keyof typeof SHAPES;

describe.each(
  RUN_ENGINES.flatMap((engine) =>
    (['bushes', 'a chain'] as Shape[]).map((shape) => ({ engine, shape })),
  ),
)('kept results of searches in $shape on $engine', ({ engine, shape }) => {
  const { parentOf, rounds } = SHAPES[shape];
  let database: Database;
  let source: MemberSource;
  beforeAll(async () => {
    database = await openTestDatabase(engine, { isOwner: true });
    source = { db: database, matches: createMatchCache(), scale: 18 };
    await insertPeople(database, PEOPLE, parentOf);
    await enqueueJoins(database);
    await rollUp(database);
  });
  afterAll(() => database.close());

  test('stay exact while members join and change their names', async () => {
    for (let round = 0; round < rounds; round++) {
      const oracle = await readOracle(database);
      for (const viewerId of [1, 2, 3, 50]) {
        for (const keyword of KEYWORDS) {
          for (const type of ['DIRECT', 'COMMUNITY'] as const) {
            const page = await listMembers(source, viewerId, {
              type,
              keyword,
              current: 1,
              size: 20,
            });
            const expected = selectByOracle(oracle, viewerId, { type, keyword });
            const label = JSON.stringify({ round, viewerId, keyword, type });
            expect(page.total, label).toBe(expected.length);
            expect(
              page.records.map((record) => record.user_id),
              label,
            ).toEqual(expected.slice(0, 20));
          }
        }
      }
      await insertPeople(
        database,
        60,
        (i) => random(Math.min(i, 300)),
        addDays('2026-03-01', 40 * round),
      );
      await enqueueJoins(database);
      const renamed = Array.from({ length: 40 }, () => 2 + random(PEOPLE));
      await database.query(
        `update app_user set nickname = case id % 2 when 0 then 'Zed ' else 'Ann ' end || id
          where id = any($1)`,
        [renamed],
      );
      await rollUp(database);
    }
  });

  test('are discarded when the tree is rebuilt', async () => {
    const search = async (viewerId: number) =>
      (
        await listMembers(source, viewerId, {
          type: 'COMMUNITY',
          keyword: 'ann',
          current: 1,
          size: 20,
        })
      ).records;
    await search(1);
    // An import may add users who joined earlier: all are numbered again.
    await database.query(
      `update app_user set created_at = created_at - (id % 7) * interval '3 days'
        where referrer_id is not null`,
    );
    await rebuildCommunity(database);
    const oracle = await readOracle(database);
    for (const viewerId of [1, 2]) {
      const expected = selectByOracle(oracle, viewerId, { type: 'COMMUNITY', keyword: 'ann' });
      expect((await search(viewerId)).map((record) => record.user_id)).toEqual(
        expected.slice(0, 20),
      );
    }
  });

  test('find no member for a keyword that folds to nothing', async () => {
    expect(
      await listMembers(source, 1, { type: 'COMMUNITY', keyword: '\u0301', current: 1, size: 20 }),
    ).toMatchObject({ total: 0 });
  });

  test('hold a bounded number of results', async () => {
    const small: MemberSource = { ...source, matches: createMatchCache(2000) };
    for (let i = 0; i < 2; i++) {
      for (const keyword of ['1', '2', '3', 'ann']) {
        const query = { type: 'COMMUNITY', keyword, current: 1, size: 20 } as const;
        expect(await listMembers(small, 1, query)).toEqual(await listMembers(source, 1, query));
      }
    }
  });
});
