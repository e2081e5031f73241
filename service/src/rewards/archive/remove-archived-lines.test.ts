/** What the function of the database removes, by any caller. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../../test/support/databases.ts';
import type { Database } from '../../db/index.ts';

const OLD = '2026-01-01T00:00:00Z';

describe.each(ENGINES)('removal of archived lines on %s', (engine) => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase(engine);
  });
  afterEach(() => database.close());

  async function addSettlement(movedAt: string | null): Promise<number> {
    const { rows } = await database.query<{ id: number }>(
      `insert into reward_batch (kind, hour, rule_version, state, salt_key, created_at, settled_at,
          archived_at, moved_at)
        values ('correction', $1, 0, 'settled', '', $1, $1, $1, $2) returning id`,
      [OLD, movedAt],
    );
    return rows[0]?.id ?? 0;
  }

  async function addLines(
    settlement: number,
    leaves: readonly number[],
    fields: { hour?: string; status?: string } = {},
  ): Promise<void> {
    const { hour = OLD, status = 'paid' } = fields;
    await database.query(
      `insert into reward_line (batch_id, leaf, hour, user_id, rule_version, level, part,
          reward_type, status, node_id, quantity, rate, settled_before, amount)
        select $1, leaf, $3::timestamptz, 1, 1, 0, '', 'UPTIME', $4, '', 1, 1, 0, 1
        from unnest($2::bigint[]) leaf`,
      [settlement, leaves, hour, status],
    );
  }

  async function remove(settlement: number, atMost: number | null = 3): Promise<number> {
    const { rows } = await database.query<{ looked: number }>(
      "select remove_archived_lines('reward_line', $1, $2) as looked",
      [settlement, atMost],
    );
    return rows[0]?.looked ?? -1;
  }

  async function leavesOf(settlement: number): Promise<number[]> {
    const { rows } = await database.query<{ leaf: number }>(
      'select leaf from reward_line where batch_id = $1 order by leaf',
      [settlement],
    );
    return rows.map(({ leaf }) => leaf);
  }

  async function removedLeaf(settlement: number): Promise<number | null> {
    const { rows } = await database.query<{ leaf: number | null }>(
      'select removed_leaf as leaf from reward_batch where id = $1',
      [settlement],
    );
    return rows[0]?.leaf ?? null;
  }

  test('continues from the leaf where it ended, and leaves held lines', async () => {
    const settlement = await addSettlement(OLD);
    // Leaves of the second bucket begin far behind those of the first.
    await addLines(settlement, [0, 1, 3, 2 ** 32, 2 ** 32 + 1]);
    await addLines(settlement, [2, 2 ** 32 + 2], { status: 'held' });
    expect(await remove(settlement)).toBe(3);
    expect(await leavesOf(settlement)).toEqual([2, 3, 2 ** 32, 2 ** 32 + 1, 2 ** 32 + 2]);
    expect(await removedLeaf(settlement)).toBe(2);
    // What stands before the recorded leaf is not looked at again.
    await addLines(settlement, [0]);
    expect(await remove(settlement)).toBe(3);
    expect(await remove(settlement)).toBe(1);
    expect(await remove(settlement)).toBe(0);
    expect(await leavesOf(settlement)).toEqual([0, 2, 2 ** 32 + 2]);
    expect(await removedLeaf(settlement)).toBe(2 ** 32 + 2);
  });

  test('stops at a line of the last 30 days', async () => {
    const settlement = await addSettlement(OLD);
    const young = new Date(Date.now() - 29 * 86_400_000).toISOString();
    await addLines(settlement, [0, 1, 3]);
    await addLines(settlement, [2], { hour: young });
    expect(await remove(settlement, null)).toBe(2);
    expect(await remove(settlement, null)).toBe(0);
    expect(await leavesOf(settlement)).toEqual([2, 3]);
  });

  test('removes nothing of a settlement that is read from the database', async () => {
    const settlement = await addSettlement(null);
    await addLines(settlement, [0, 1]);
    expect(await remove(settlement)).toBe(0);
    expect(await leavesOf(settlement)).toEqual([0, 1]);
    await expect(
      database.query('update reward_batch set removed_leaf = 1 where id = $1', [settlement]),
    ).rejects.toThrow('reward_batch_removed_leaf_check');
  });

  test('instances at once look at each line once, at most 5,000 at a time', async () => {
    const settlement = await addSettlement(OLD);
    await addLines(
      settlement,
      Array.from({ length: 5001 }, (_, leaf) => leaf),
    );
    const looked = await Promise.all([1, 2, 3].map(() => remove(settlement, 1000)));
    expect(looked).toEqual([1000, 1000, 1000]);
    expect(await leavesOf(settlement)).toHaveLength(2001);
    await addLines(
      settlement,
      Array.from({ length: 5000 }, (_, leaf) => 10_000 + leaf),
    );
    expect(await remove(settlement, 1_000_000)).toBe(5000);
  });
});
