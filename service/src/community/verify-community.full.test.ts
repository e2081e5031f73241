import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom, enqueueJoins, insertPeople } from '../../test/community/tree-oracle.ts';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { sized } from '../../test/support/scale.ts';
import { insertPurchase, insertRefund } from '../../test/support/test-purchases.ts';
import type { Database } from '../db/index.ts';
import { addDays } from '../lib/calendar.ts';
import { createManualClock } from '../lib/clock.ts';
import { rebuildCommunity } from './rebuild-community.ts';
import { rollUp } from './roll-up.ts';
import { verifyCommunity } from './verify-community.ts';

const clock = createManualClock('2026-03-01T00:00:00Z');
const random = createRandom(7);

/**
 * Lists begin at downlines of 1,000, and another one 256 above: there are two of them, below a
 * chain that makes deep paths.
 */
const [BATCH, CHAIN] = sized({ quick: [200, 150], full: [200, 150], soak: [450, 400] } as const);
const PEOPLE = 8 * BATCH;

const STATS = `select user_id, direct_count, downline_count, downline_amount from community_stats
    order by user_id`;
const MEMBERS = `select user_id, referrer_id, depth, join_no, direct_no, joined_at, name, email
    from community_member order by user_id`;

describe.each(RUN_ENGINES)('the tree on %s', (engine) => {
  let database: Database;
  let ids: number[] = [];
  beforeAll(async () => {
    database = await openTestDatabase(engine, { isOwner: true });
    // Joins and purchases come interleaved.
    for (let batch = 0; batch < 8; batch++) {
      const parentOf = (i: number) => (i <= CHAIN ? i - 1 : Math.max(random(i), random(i)));
      const added = await insertPeople(
        database,
        BATCH,
        parentOf,
        addDays('2026-01-01', 40 * batch),
      );
      ids = [...ids, ...added];
      await enqueueJoins(database);
      for (let n = 0; n < 30; n++) {
        const { purchaseId } = await insertPurchase(
          database,
          clock,
          ids[random(ids.length)] ?? 0,
          BigInt(1 + random(1_000_000)) * 10n ** 20n,
        );
        if (n % 3 === 0) await insertRefund(database, clock, purchaseId, 1n);
      }
      await rollUp(database);
    }
  });
  afterAll(() => database.close());

  test('figures, order and lists equal those recomputed from the edges', async () => {
    const report = await verifyCommunity(database);
    expect(report.problems).toEqual([]);
    expect(report.members).toBe(PEOPLE);
    expect(report.lists).toBeGreaterThan(1);
  });

  test('a rebuild changes nothing', async () => {
    const before = [await database.query(STATS), await database.query(MEMBERS)];
    await rebuildCommunity(database);
    expect((await verifyCommunity(database)).problems).toEqual([]);
    expect([await database.query(STATS), await database.query(MEMBERS)]).toEqual(before);
  });

  test('entries that wait in the queue are not differences', async () => {
    const { rows } = await database.query<{ id: number }>(
      `insert into package_purchase (user_id, currency, amount, reference, is_external, created_at)
        values ($1, 'EDGE', 5, 'x', true, now()) returning id`,
      [ids[PEOPLE - 100]],
    );
    await database.query(
      `insert into community_purchase_total values ($1, 5) on conflict (user_id) do update
        set amount = community_purchase_total.amount + 5`,
      [ids[PEOPLE - 100]],
    );
    await database.query(
      "insert into community_event (kind, user_id, amount) values ('amount', $1, 5)",
      [ids[PEOPLE - 100]],
    );
    expect(rows).toHaveLength(1);
    expect((await verifyCommunity(database)).problems).toEqual([]);
    await rollUp(database);
    expect((await verifyCommunity(database)).problems).toEqual([]);
  });

  test('a queue without progress is reported', async () => {
    const digits = '9'.repeat(96);
    await database.query(
      `insert into community_event (kind, user_id, amount) select 'amount', $1, $2::numeric
        from generate_series(1, 2)`,
      [ids[PEOPLE - 100], digits],
    );
    expect((await verifyCommunity(database)).problems).toContainEqual(
      expect.stringMatching(/^the queue stands still: /),
    );
    await database.query('delete from community_event');
    expect((await verifyCommunity(database)).problems).toEqual([]);
  });

  test.each([
    [
      'a count',
      'update community_stats set downline_count = downline_count + 1 where user_id = $1',
    ],
    [
      'an amount',
      'update community_stats set downline_amount = downline_amount + 1 where user_id = $1',
    ],
    ['a depth', 'update community_member set depth = depth + 1 where user_id = $1'],
    [
      'a list that lacks one',
      `delete from community_downline where owner_id = (select max(owner_id)
        from community_downline) and seq = 1`,
    ],
    [
      'a list with another member',
      `update community_downline set join_no = 1 where owner_id = (select max(owner_id)
        from community_downline) and seq = 1`,
    ],
    [
      'a level',
      `update community_depth_total set amount = amount + 1 where owner_id = (select max(owner_id)
        from community_depth_total)`,
    ],
    [
      'levels that still add up',
      `update community_depth_total l set members = l.members + x.d, amount = l.amount + 7 * x.d
         from (select owner_id, depth, (array[1, -2, 1])[row_number() over (order by depth)] as d
           from community_depth_total
           where owner_id = (select owner_id from community_depth_total
             group by owner_id having count(*) > 2 limit 1) limit 3) x
         where l.owner_id = x.owner_id and l.depth = x.depth`,
    ],
    [
      'a level that is gone',
      `delete from community_depth_total where owner_id = (select max(owner_id)
        from community_depth_total)`,
    ],
    ['a name', "update community_member set name = 'someone else' where user_id = $1"],
    ['an address', "update community_member set email = 'else@example.test' where user_id = $1"],
    [
      'the time of the first join',
      "update community_member set joined_at = joined_at - interval '90 days' where join_no = 1",
    ],
    [
      'the time of the last join',
      `update community_member set joined_at = joined_at + interval '1 microsecond'
        where join_no = ${PEOPLE}`,
    ],
    ['the number of the last join', 'update community_state set last_join_no = last_join_no - 1'],
    [
      'a lost person',
      'delete from community_member where user_id = (select max(user_id) from community_member)',
    ],
    [
      'a lost total',
      `delete from community_purchase_total where user_id = (select min(user_id)
        from community_purchase_total)`,
    ],
    [
      'a wrong way to a list',
      'update community_stats set indexed_descendant_id = $1 where user_id = $1',
    ],
  ])(
    '%s that was tampered with is found, and made good by making the tree anew',
    async (_name, sql) => {
      await database.query(sql, sql.includes('$1') ? [ids[20]] : []);
      expect((await verifyCommunity(database)).problems).not.toEqual([]);
      await database.query(
        `insert into community_purchase_total select user_id, sum(amount - refunded)
          from package_purchase group by user_id on conflict do nothing`,
      );
      await rebuildCommunity(database);
      expect((await verifyCommunity(database)).problems).toEqual([]);
    },
  );
});
