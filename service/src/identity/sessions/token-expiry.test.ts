import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../../test/support/databases.ts';
import { insertUser } from '../../../test/support/test-users.ts';
import { type Database, transaction } from '../../db/index.ts';
import { createManualClock } from '../../lib/clock.ts';
import { createTokenExpiry, endAllSessions, revoke, revokeAllTokens } from './index.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe.each(RUN_ENGINES)('how long revocations stay on %s', (engine) => {
  let database: Database;
  let clock: ReturnType<typeof createManualClock>;
  beforeEach(async () => {
    database = await openTestDatabase(engine);
    clock = createManualClock('2026-11-20T10:00:00Z');
  });
  afterEach(() => database.close());

  const instance = (longestToken_ms: number) =>
    createTokenExpiry({
      ...{ database, clock, longestToken_ms },
      onError: (error) => {
        throw error;
      },
    });
  const inSeconds = (ms: number): number => (clock.now().getTime() + ms) / 1000;

  /** Revokes something, and says for how long. */
  async function revokeFor_ms(): Promise<number> {
    const revocation = { kind: 'node', value: '1 node', reason: 'disconnected' } as const;
    await transaction(database, (tx) => revoke(tx, clock, revocation));
    const { rows } = await database.query<{ until: Date }>(
      'select until from token_revocation order by id desc limit 1',
    );
    return (rows[0]?.until.getTime() ?? 0) - clock.now().getTime();
  }

  test('until the last token has expired that any instance signed, and no longer', async () => {
    expect(await revokeFor_ms()).toBe(30 * DAY_MS);
    const [longer, shorter] = [instance(20 * DAY_MS), instance(DAY_MS / 2)];
    await longer.start();
    longer.stop();
    await longer.cover(inSeconds(20 * DAY_MS));
    clock.advance(DAY_MS);
    await shorter.start();
    expect(await revokeFor_ms()).toBeGreaterThanOrEqual(19 * DAY_MS);
    clock.advance(20 * DAY_MS);
    await shorter.cover(inSeconds(DAY_MS / 2));
    shorter.stop();
    const stays_ms = await revokeFor_ms();
    expect(stays_ms).toBeGreaterThanOrEqual(DAY_MS / 2 + HOUR_MS);
    expect(stays_ms).toBeLessThanOrEqual(DAY_MS / 2 + 2 * HOUR_MS);
  });

  test('a token is covered before it is signed, whatever the settings say', async () => {
    const one = instance(HOUR_MS);
    await one.cover(inSeconds(3 * DAY_MS));
    expect(await revokeFor_ms()).toBeGreaterThan(3 * DAY_MS);
    const other = instance(HOUR_MS);
    await other.start();
    other.stop();
    expect(await revokeFor_ms()).toBeGreaterThan(3 * DAY_MS);
  });

  test('sessions end for as long as tokens live, and an emergency lasts longest', async () => {
    const one = instance(HOUR_MS);
    await one.start();
    one.stop();
    const userId = await insertUser(database);
    await transaction(database, async (tx) => {
      await endAllSessions(tx, clock, { userId, reason: 'password_changed' });
      await revokeAllTokens(tx, clock, 'emergency');
    });
    const { rows } = await database.query<{ kind: string; hours: number }>(
      `select kind, (extract(epoch from until - $1) / 3600)::float8 as hours
       from token_revocation order by id`,
      [clock.now()],
    );
    expect(rows).toEqual([
      { kind: 'user', hours: 3 },
      { kind: 'all', hours: 720 },
    ]);
  });
});
