/** What a scrape does with a figure that takes long. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../test/support/databases.ts';
import { type Database, transaction } from '../db/index.ts';
import { createMetrics } from './metrics.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase('server');
});
afterAll(() => database.close());

const SETTING = "select current_setting('statement_timeout') as limit";
const readLimit = async (db: Pick<Database, 'query'>): Promise<string | undefined> =>
  (await db.query<{ limit: string }>(SETTING)).rows[0]?.limit;

test('statements of a scrape have a time of their own, and those after it have not', async () => {
  const metrics = createMetrics();
  const seen: unknown[] = [];
  metrics.gauge('probe', 'Limits.', 'kind', async () => {
    seen.push(await readLimit(database));
    seen.push(await transaction(database, readLimit));
    seen.push(await transaction(database, readLimit, { lockTimeout_ms: 50 }));
    seen.push((await database.prepared<{ limit: string }>('probe', SETTING)).rows[0]?.limit);
    return { done: seen.length };
  });
  const before = await readLimit(database);
  expect(await metrics.registry.metrics()).toContain('probe{kind="done"} 4');
  expect(seen).toEqual(['2s', '2s', '2s', '2s']);
  expect(before).not.toBe('2s');
  for (let n = 0; n < 20; n++) expect(await readLimit(database)).toBe(before);
});

test('a figure that is not read in time is absent, and the server ends its statement', async () => {
  const metrics = createMetrics();
  let reason: unknown;
  metrics.gauge('slow', 'Sleeps.', 'kind', async () => {
    await database.query('select pg_sleep(50)').catch((error: unknown) => {
      reason = error;
      throw error;
    });
    return { slept: 1 };
  });
  metrics.gauge('fast', 'Does not.', 'kind', async () => ({ slept: 0 }));
  const text = await metrics.registry.metrics();
  expect(text).not.toContain('slow{');
  expect(text).toContain('fast{kind="slept"} 0');
  await expect.poll(() => reason, { timeout: 30_000 }).toMatchObject({ code: '57014' });
  // It is counted in the next scrape at the latest.
  expect(await metrics.registry.metrics()).toContain('unread_total{metric="slow"}');
});
