import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { systemClock } from '../lib/clock.ts';
import { createClockWatch } from './clock-skew-monitor.ts';
import type { Database, Db } from './index.ts';

describe.each(ENGINES)('the skew between a process and the database, %s', (engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterAll(() => database.close());

  /** A process whose clock is ahead by `skew`, on a database that answers after a delay. */
  function watchAhead(ahead_ms: number, answer_ms = 0) {
    let shift_ms = ahead_ms - answer_ms / 2;
    const clock = { now: () => new Date(Date.now() + shift_ms) };
    const query: Db['query'] = async (text, values) => {
      const answer = await database.query(text, values);
      shift_ms += answer_ms;
      return answer as never;
    };
    const said: number[] = [];
    return {
      said,
      watch: createClockWatch({
        db: { ...database, query },
        clock,
        onApart: (offset_ms) => said.push(offset_ms),
      }),
    };
  }

  test.each([5000, -5000])(
    'is measured, and reported once, when the clock is %i ms off',
    async (ahead_ms) => {
      const { said, watch } = watchAhead(ahead_ms);
      expect(watch.offset_ms()).toBeUndefined();
      await watch.start();
      expect(Math.abs((watch.offset_ms() ?? 0) - ahead_ms)).toBeLessThan(1000);
      expect(said).toEqual([watch.offset_ms()]);
      expect(await watch.measure()).toBe(watch.offset_ms());
      expect(said).toHaveLength(1);
      watch.stop();
    },
  );

  test('is not reported when the round trip may explain it', async () => {
    const { said, watch } = watchAhead(5000, 12_000);
    await watch.measure();
    expect(said).toEqual([]);
  });

  test('does not stop the start while the database is unreachable', async () => {
    const away = { ...database, query: async () => Promise.reject(new Error('away')) };
    const watch = createClockWatch({ db: away, clock: systemClock, onApart: () => {} });
    await watch.start();
    expect(watch.offset_ms()).toBeUndefined();
    await expect(watch.measure()).rejects.toThrow('away');
    watch.stop();
  });
});
