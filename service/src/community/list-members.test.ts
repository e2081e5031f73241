import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createRandom,
  downlineOf,
  enqueueJoins,
  insertPeople,
  type Oracle,
  performanceOf,
  readOracle,
  selectByOracle,
} from '../../test/community/tree-oracle.ts';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { sized } from '../../test/support/scale.ts';
import { insertPurchase } from '../../test/support/test-purchases.ts';
import type { Database } from '../db/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { formatAmount } from '../lib/money.ts';
import { countTeam } from './count-joins.ts';
import { listMembers, type MemberSource } from './list-members.ts';
import { listReferrals } from './list-referrals.ts';
import { rollUp } from './roll-up.ts';
import type { MemberFilters } from './schemas.ts';
import { createMatchCache } from './search-cache.ts';
import { summarizeCommunity } from './summarize-community.ts';

const SCALE = 18;
const clock = createManualClock('2026-03-01T00:00:00Z');
const random = createRandom(20_260_101);

/**
 * Shapes of trees: for the i-th person the index of the referrer. Lists begin at downlines of 1,000
 * and the next one 256 above; the first shape is beyond the 5,000 from which searches ask the
 * index.
 */
const SHAPES: Readonly<Record<string, { count: number; parentOf: (i: number) => number }>> = {
  'random recursive tree': {
    count: sized({ quick: 5100, full: 5100, soak: 6000 }),
    parentOf: (i) => (i === 0 ? -1 : random(i)),
  },
  chain: { count: sized({ quick: 1600, full: 1600, soak: 3000 }), parentOf: (i) => i - 1 },
  star: {
    count: sized({ quick: 1300, full: 1300, soak: 3000 }),
    parentOf: (i) => (i === 0 ? -1 : 0),
  },
  'star below a chain': {
    count: sized({ quick: 1600, full: 1600, soak: 4000 }),
    parentOf: (i) => (i <= 300 ? i - 1 : 300),
  },
  caterpillar: {
    count: sized({ quick: 1600, full: 1600, soak: 5000 }),
    parentOf: (i) => (i % 5 === 0 ? i - 5 : i - (i % 5)),
  },
};

const KEYWORDS = [
  '',
  'ann',
  'ANNE',
  'jose',
  'wang',
  '王',
  'lukasz',
  'strasse',
  '%',
  '_',
  '\\',
  'a%b',
  "o'h",
  '=',
  'йод',
  '😀',
  'elan',
  'member1',
  '@example.test',
  ' 1',
  'no such',
];
const TYPES = ['DIRECT', 'COMMUNITY'] as const;
const DAYS: Pick<MemberFilters, 'beginDate' | 'endDate'>[] = [
  {},
  { beginDate: '2026-01-15' },
  { endDate: '2026-01-20' },
  { beginDate: '2026-01-10', endDate: '2026-01-12' },
  { beginDate: '2025-01-01', endDate: '2025-12-31' },
  { beginDate: '2026-06-01' },
];

/** Users at the top, in the middle, and without referrals. */
function pickViewers(ids: readonly number[]): number[] {
  const picks = [
    0,
    1,
    2,
    150,
    300,
    Math.floor(ids.length / 3),
    Math.floor((ids.length * 2) / 3),
    ids.length - 1,
  ];
  return picks.map((index) => ids[index]).filter((id) => id !== undefined);
}

async function checkPages(
  source: MemberSource,
  oracle: Oracle,
  viewerId: number,
  filters: MemberFilters,
): Promise<void> {
  const expected = selectByOracle(oracle, viewerId, filters);
  const pages = Math.ceil(expected.length / 7);
  for (const current of new Set(
    [1, Math.ceil(pages / 2), pages, pages + 1].filter((page) => page > 0),
  )) {
    const page = await listMembers(source, viewerId, { ...filters, current, size: 7 });
    const label = JSON.stringify({ viewerId, filters, current });
    expect(page.total, label).toBe(expected.length);
    expect(
      page.records.map((record) => record.user_id),
      label,
    ).toEqual(expected.slice((current - 1) * 7, current * 7));
    for (const record of page.records) {
      const user = oracle.users.get(record.user_id);
      expect(record.email === user?.email, label).toBe(user?.referrerId === viewerId);
    }
  }
}

/** As operators see them: the same people, and as many at each level. */
async function checkReferrals({ db }: MemberSource, oracle: Oracle, viewerId: number) {
  const expected = selectByOracle(oracle, viewerId, { type: 'DIRECT' });
  for (const current of [1, 2]) {
    const { referrals, total } = await listReferrals(db, viewerId, { current, size: 7 });
    expect(total).toBe(expected.length);
    expect(referrals.map(({ user_id }) => user_id)).toEqual(
      expected.slice((current - 1) * 7, current * 7),
    );
  }
  const levels = Map.groupBy(downlineOf(oracle, viewerId), ({ level }) => level);
  const counts = [...levels].map(([level, members]) => ({ level, members: members.length }));
  expect((await countTeam(db, viewerId)).levels).toEqual(
    counts.toSorted((a, b) => a.level - b.level),
  );
}

async function checkFigures(source: MemberSource, oracle: Oracle, viewerId: number): Promise<void> {
  const page = await listMembers(source, viewerId, { type: 'COMMUNITY', current: 1, size: 20 });
  const levels = new Map(downlineOf(oracle, viewerId).map(({ user, level }) => [user.id, level]));
  for (const record of page.records) {
    expect(record).toMatchObject({
      level: levels.get(record.user_id),
      referrer_id: oracle.users.get(record.user_id)?.referrerId,
      direct_count: oracle.children.get(record.user_id)?.length ?? 0,
      team_count: downlineOf(oracle, record.user_id).length,
      joined_at: oracle.users.get(record.user_id)?.joinedAt.toISOString(),
    });
    expect(record.team_performance.rawJSON).toBe(
      formatAmount(performanceOf(oracle, record.user_id), SCALE),
    );
  }
}

async function checkSummary(source: MemberSource, oracle: Oracle, viewerId: number): Promise<void> {
  const query = { beginDate: '2026-01-05', endDate: '2026-02-05' };
  const summary = await summarizeCommunity(
    { db: source.db, now: clock.now(), scale: SCALE },
    viewerId,
    query,
  );
  const downline = downlineOf(oracle, viewerId);
  const levels = new Map<number, { level: number; members: number; amount: bigint }>();
  for (const { user, level } of downline) {
    const known = levels.get(level) ?? { level, members: 0, amount: 0n };
    levels.set(level, {
      level,
      members: known.members + 1,
      amount: known.amount + (oracle.purchases.get(user.id) ?? 0n),
    });
  }
  const label = `viewer ${viewerId}`;
  expect(summary.team_count, label).toBe(downline.length);
  expect(summary.team_performance.rawJSON, label).toBe(
    formatAmount(performanceOf(oracle, viewerId), SCALE),
  );
  expect(
    summary.levels.map((row) => ({ ...row, performance: row.performance.rawJSON })),
    label,
  ).toEqual(
    [...levels.values()]
      .sort((a, b) => a.level - b.level)
      .map(({ level, members, amount }) => ({
        level,
        members,
        performance: formatAmount(amount, SCALE),
      })),
  );
  const joinedOn = (date: string, users: typeof downline) =>
    users.filter(({ user }) => user.joinedAt.toISOString().startsWith(date)).length;
  const direct = downline.filter(({ level }) => level === 1);
  for (const day of summary.joins)
    expect(day, label).toEqual({
      date: day.date,
      direct: joinedOn(day.date, direct),
      community: joinedOn(day.date, downline),
    });
}

describe.each(RUN_ENGINES)('members on %s', (engine) => {
  describe.each(Object.entries(SHAPES))('%s', (_name, { count, parentOf }) => {
    let database: Database;
    let source: MemberSource;
    let oracle: Oracle;
    let viewers: number[];
    beforeAll(async () => {
      database = await openTestDatabase(engine, { isOwner: true });
      source = { db: database, matches: createMatchCache(), scale: SCALE };
      const ids = await insertPeople(database, count, parentOf);
      await enqueueJoins(database);
      await rollUp(database);
      for (let n = 0; n < 30; n++) {
        const buyer = ids[random(ids.length)] ?? 0;
        await insertPurchase(database, clock, buyer, BigInt(1 + random(1000)) * 10n ** 17n);
      }
      await rollUp(database);
      oracle = await readOracle(database);
      viewers = pickViewers(ids);
    });
    afterAll(() => database.close());

    test('every filter combination gives the result of the naive recursion', async () => {
      const combinations = viewers.flatMap((viewerId) =>
        TYPES.flatMap((type) => DAYS.map((days) => ({ viewerId, filters: { type, ...days } }))),
      );
      for (const { viewerId, filters } of combinations) {
        await checkPages(source, oracle, viewerId, filters);
        if (random(2) === 0) continue;
        await checkPages(source, oracle, viewerId, {
          ...filters,
          keyword: KEYWORDS[random(KEYWORDS.length)] ?? '',
        });
      }
      for (const keyword of KEYWORDS) {
        for (const type of TYPES)
          await checkPages(source, oracle, viewers[random(4)] ?? 0, { type, keyword });
      }
    });

    test('the summary counts the same as the naive recursion', async () => {
      for (const viewerId of viewers) await checkSummary(source, oracle, viewerId);
    });

    test('figures of members equal those of the naive recursion', async () => {
      for (const viewerId of viewers) {
        await checkFigures(source, oracle, viewerId);
        await checkReferrals(source, oracle, viewerId);
      }
    });
  });
});
