/** Lists of lines: what is counted, and up to where. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { type Database, LISTED_MAX } from '../db/index.ts';
import { listLines } from './list-lines.ts';

const HOUR = new Date('2026-01-01T00:00:00Z');
const PERSON = 7;
const PAGE = { current: 1, size: 20 };

describe.each(ENGINES)('lists of lines on %s', (engine) => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase(engine, { isOwner: true });
    await database.query(
      `insert into reward_rules (version, body, body_hash, created_by, created_at)
        overriding system value values (1, '{}', '', 'test', $1) on conflict do nothing`,
      [HOUR],
    );
  });
  afterEach(() => database.close());

  /** Lines of a computed settlement. @param statuses of as many lines each */
  async function addLines(statuses: readonly string[], each: number): Promise<number> {
    const { rows } = await database.query<{ id: number }>(
      `with batch as (
          insert into reward_batch (kind, hour, rule_version, state, period, salt_key, created_at)
          values ('correction', $1, 0, 'computed', 'day', '', $1) returning id
        ), lines as (
          insert into reward_line (batch_id, leaf, hour, user_id, rule_version, level, part,
            reward_type, status, node_id, quantity, rate, settled_before, amount)
          select id, (s.n - 1) * $4::int + l, $1, $2, 1, 0, 'p' || l, 'UPTIME', s.status, '', 1, 1,
            0, 1
          from batch cross join unnest($3::text[]) with ordinality as s (status, n)
            cross join generate_series(0, $4::int - 1) l
        )
        select id from batch`,
      [HOUR, PERSON, statuses, each],
    );
    return rows[0]?.id ?? 0;
  }

  test('lines of all statuses together are all lines', async () => {
    const batch = await addLines(['paid', 'held', 'rejected'], 3);
    await database.query(
      `insert into reward_refusal (batch_id, leaf, code) values ($1, 0, 'settlement_closed')`,
      [batch],
    );
    const totalOf = async (status?: 'accrued' | 'held' | 'rejected' | 'refused' | 'paid') =>
      (await listLines(database, { userId: PERSON, status }, PAGE)).total;
    expect(await totalOf()).toBe(9);
    expect(await totalOf('accrued')).toBe(2);
    expect(await totalOf('refused')).toBe(1);
    expect(await totalOf('held')).toBe(3);
    expect(await totalOf('rejected')).toBe(3);
    expect(await totalOf('paid')).toBe(0);
  });

  test('more than a list has are not counted, and a page behind it is empty', async () => {
    await addLines(['held'], LISTED_MAX + 5);
    const of = { userId: PERSON };
    const first = await listLines(database, of, PAGE);
    expect(first.total).toBe(LISTED_MAX + 1);
    expect(first.lines).toHaveLength(20);
    const last = await listLines(database, of, { current: LISTED_MAX / 20, size: 20 });
    expect(last.lines).toHaveLength(20);
    const behind = await listLines(database, of, { current: LISTED_MAX / 20 + 1, size: 20 });
    expect(behind.lines).toEqual([]);
  });
});
