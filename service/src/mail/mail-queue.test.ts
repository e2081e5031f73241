import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import type { Database } from '../db/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { countMails, measureOldestMails } from './index.ts';

describe.each(RUN_ENGINES)('the outbox in figures on %s', (engine) => {
  const clock = createManualClock('2026-11-24T00:00:00Z');
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterAll(() => database.close());

  /** Adds mails that were written a minute ago. */
  const add = (
    count: number,
    {
      next = clock.now(),
      code = false,
      slow = false,
    }: { next?: Date | 'infinity' } & {
      [flag in 'code' | 'slow']?: boolean;
    },
  ) =>
    database.query(
      `insert into mail (recipient, subject, body, created_at, next_attempt_at, expires_at, is_slow)
       select '', '', '', $1::timestamptz - interval '1 minute', $2,
         case when $3 then $1::timestamptz + interval '1 minute' end, $4
       from generate_series(1, $5::int)`,
      [clock.now(), next, code, slow, count],
    );

  test('each state is counted to 10,000: mails that no relay took stay for a month', async () => {
    await add(1, { code: true });
    await add(2, {});
    await add(3, { slow: true });
    await add(10_000, { next: 'infinity' });
    await add(1, { next: 'infinity', slow: true });
    expect(await countMails(database)).toEqual({ code: 1, other: 5, failed: 10_000 });
    expect(await measureOldestMails(database, clock)).toEqual({ code: 60, other: 60 });
    await add(10_000, {});
    await add(10_000, { code: true });
    expect(await countMails(database)).toEqual({ code: 10_000, other: 10_000, failed: 10_000 });
  });
});
