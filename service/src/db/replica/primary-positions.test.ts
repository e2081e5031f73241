import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServerDatabase } from '../../../test/support/databases.ts';
import { openServer } from '../open-server.ts';
import type { Database } from '../types.ts';
import { PrimaryPositions } from './primary-positions.ts';

const onError = (): void => {};
let url: string;
let database: Database;
let positions: PrimaryPositions;

beforeAll(async () => {
  url = await createServerDatabase();
  database = await openServer({ url, poolSize: 2, onError });
  positions = new PrimaryPositions({ url, keepsPrepared: true, onError });
});
afterAll(async () => {
  await positions.close();
  await database.close();
});

async function isBelow(earlier: string, later: string): Promise<boolean> {
  const text = 'select $1::pg_lsn < $2::pg_lsn as is_below';
  const { rows } = await database.query<{ is_below: boolean }>(text, [earlier, later]);
  return rows[0]?.is_below === true;
}

test('callers of a moment share a position, and after a commit there is a later one', async () => {
  const [one, other] = await Promise.all([positions.next(), positions.next()]);
  expect(other).toBe(one);
  await database.query('update replication_mark set timeline = timeline');
  const later = await positions.next();
  expect(await isBelow(one.lsn, later.lsn)).toBe(true);
  expect(later.mark).toBe(one.mark);
});

test('the mark changes with the timeline, and with each process', async () => {
  const { mark } = await positions.next();
  await database.query("update replication_mark set timeline = '0000000F'");
  const renewed = await positions.next();
  expect(renewed.mark).not.toBe(mark);
  expect((await positions.next()).mark).toBe(renewed.mark);
  const other = new PrimaryPositions({ url, keepsPrepared: false, onError });
  const started = await other.next();
  expect(started.mark).not.toBe(renewed.mark);
  expect((await positions.next()).mark).toBe(started.mark);
  await other.close();
});
