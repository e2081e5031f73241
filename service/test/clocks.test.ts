/**
 * A wrong clock of an instance appears in its log, at `/readyz` and in the metrics.
 */
import { expect, test, vi } from 'vitest';
import { createApp } from '../src/app.ts';
import { openTestDatabase, RUN_ENGINES } from './support/databases.ts';
import { testConfig, testMasterKey } from './support/test-config.ts';
import { createTestTokens } from './support/tokens.ts';

const AHEAD_MS = 20_000;

test.each(RUN_ENGINES)(
  'an instance on %s whose clock is ahead reports it and serves',
  async (engine) => {
    const database = await openTestDatabase(engine);
    const clock = { now: () => new Date(Date.now() + AHEAD_MS) };
    const app = await createApp({
      config: testConfig(),
      database,
      masterKey: testMasterKey,
      clock,
    });
    const warn = vi.spyOn(app.http.log, 'warn');
    await app.start();
    expect(warn).toHaveBeenCalledWith(
      { clock_offset_ms: expect.any(Number) },
      expect.stringMatching(
        /^the clock of this process is (19|20|21)\.\d s ahead of the database’s$/,
      ),
    );
    const ready = (await app.http.inject('/readyz')).json() as { clock_offset_ms: number };
    expect(Math.round(ready.clock_offset_ms / 2000) * 2000).toBe(AHEAD_MS);
    const token = await createTestTokens(database, { clock }).operator('operator:metrics');
    const metrics = await app.http.inject({
      url: '/metrics',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(metrics.body).toMatch(
      /^edge_account_clock_offset_seconds\{against="database"\} (19|20|21)(\.\d+)?$/m,
    );
    await app.stop();
    await database.close();
  },
);
