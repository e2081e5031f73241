import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom, enqueueJoins, insertPeople } from '../../test/community/tree-oracle.ts';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { sized } from '../../test/support/scale.ts';
import { insertPurchase } from '../../test/support/test-purchases.ts';
import type { Database } from '../db/index.ts';
import { addDays } from '../lib/calendar.ts';
import { createManualClock } from '../lib/clock.ts';
import { rollUp } from './roll-up.ts';
import { appendToLists, shouldMaterialise } from './tree.ts';
import { verifyCommunity } from './verify-community.ts';

const random = createRandom(3);
const CHAIN = sized({ quick: 3000, full: 10_000, soak: 10_000 });
const clock = createManualClock('2026-03-01T00:00:00Z');

/** The same database, whose connections fail at the n-th statement, as a killed process would. */
function failingAt(database: Database, n: number): Database {
  let statements = 0;
  const fail = async (run: () => Promise<unknown>): Promise<unknown> => {
    if (++statements === n) throw new Error('killed');
    return run();
  };
  const pool = {
    connect: async () => {
      const client = await database.pool.connect();
      const query = (config: pg.QueryConfig) =>
        config.text === 'rollback' ? client.query(config) : fail(() => client.query(config));
      return {
        query,
        connection: client.connection,
        release: (error?: Error) => client.release(error),
      };
    },
  };
  return { ...database, pool: pool as unknown as pg.Pool };
}

/** Members with a referrer that have no event, or several, and events that have no member. */
async function countUnmatchedJoins(database: Database): Promise<number> {
  const { rows } = await database.query<{ n: number }>(
    `select count(*) as n
     from (select user_id, referrer_id from community_member where referrer_id is not null) as m
     full join (
       select (data::jsonb ->> 'user_id')::bigint as user_id, user_id as referrer_id, count(*) as n
       from event where type = 'community.member_joined' group by 1, 2
     ) as e using (user_id, referrer_id)
     where m is null or e is null or e.n <> 1`,
  );
  return rows[0]?.n ?? -1;
}

describe.each(RUN_ENGINES)('the roll-up on %s', (engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(engine, { isOwner: true });
    await insertPeople(database, 990, (i) => (i < 50 ? i - 1 : random(i)));
    await enqueueJoins(database);
    await rollUp(database);
  });
  afterAll(() => database.close());

  test('fails at any statement, leaves consistent figures and continues', async () => {
    for (let n = 1; n < 60; n++) {
      await insertPurchase(database, clock, 1 + random(990), 7n);
      // Enough members that some of these give a downline a list.
      await insertPeople(database, 5, (i) => random(i), addDays('2026-03-01', 40 * n));
      await enqueueJoins(database);
      const outcome = await rollUp(failingAt(database, 1 + (n % 25))).then(
        () => 'done',
        (error: Error) => error.message,
      );
      if (n % 25 < 10) expect(outcome).toBe('killed');
      expect(await countUnmatchedJoins(database)).toBe(0);
      if (n % 6 === 0) expect((await verifyCommunity(database)).problems).toEqual([]);
    }
    await rollUp(database);
    expect(await countUnmatchedJoins(database)).toBe(0);
    expect(await verifyCommunity(database)).toMatchObject({ members: 990 + 59 * 5, problems: [] });
  });

  // PostgreSQL only: the embedded engine runs the same statements, and ten thousand joins take it
  // half a minute. The tests of pages use a chain of 3,000 on both.
  if (engine === 'server')
    test(`handles a chain of ${CHAIN} like any other tree, with few lists`, async () => {
      const base =
        (await database.query<{ n: number }>('select max(id) as n from app_user')).rows[0]?.n ?? 0;
      await insertPeople(database, CHAIN, (i) => (i === base ? -1 : i - 1), '2035-01-01');
      await enqueueJoins(database);
      await rollUp(database);
      expect((await verifyCommunity(database)).problems).toEqual([]);
      // A star grows at the end of the chain, so that every member of the chain passes every size.
      await insertPeople(database, 1500, () => base + CHAIN - 1, '2036-01-01');
      await enqueueJoins(database);
      await rollUp(database);
      const report = await verifyCommunity(database);
      expect(report.problems).toEqual([]);
      expect(report.lists).toBeLessThan(64);
    });
});

test('stores a list from a share beyond the list below, so that sizes grow along a path', () => {
  expect([
    shouldMaterialise(999, 0),
    shouldMaterialise(1000, 0),
    shouldMaterialise(1255, 1000),
    shouldMaterialise(1256, 1000),
  ]).toEqual([false, true, false, true]);
  let lists = 0;
  for (let heavy = 0, size = 1; size <= 1_000_000; size += Math.ceil(size / 200)) {
    if (!shouldMaterialise(size, heavy)) continue;
    heavy = size;
    lists++;
  }
  expect(lists).toBeLessThan(110);
});

test('appends no member to a list that does not exist', () => {
  expect(appendToLists(new Map(), [{ userId: 1, joinNo: 1 }])).toEqual({
    ownerIds: [],
    seqs: [],
    joinNos: [],
  });
});
