import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../../test/support/databases.ts';
import { insertUser } from '../../../test/support/test-users.ts';
import { type Database, transaction } from '../../db/index.ts';
import { createManualClock } from '../../lib/clock.ts';
import { createLifetimeRecorder, endAllSessions, revoke, revokeAllTokens } from './index.ts';

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
const START = '2026-11-20T10:00:00Z';

describe.each(RUN_ENGINES)('how long revocations stay on %s', (engine) => {
  let database: Database;
  let clock: ReturnType<typeof createManualClock>;
  beforeEach(async () => {
    database = await openTestDatabase(engine);
    clock = createManualClock(START);
  });
  afterEach(() => database.close());

  const onError = (error: unknown): void => {
    throw error;
  };
  const recorder = (longestToken_s: number, at = clock) =>
    createLifetimeRecorder({ database, clock: at, longestToken_s, onError });

  /** What an instance records at its start, and again each hour. */
  async function record(longestToken_s: number, at = clock): Promise<void> {
    const one = recorder(longestToken_s, at);
    await one.start();
    one.stop();
  }

  const advance = (seconds: number): void => clock.advance(seconds * 1000);

  /** Revokes something, and says for how many seconds. */
  async function revokeFor_s(): Promise<number> {
    const revocation = { kind: 'node', value: '1 node', reason: 'disconnected' } as const;
    await transaction(database, (tx) => revoke(tx, clock, revocation));
    const { rows } = await database.query<{ until: Date }>(
      'select until from token_revocation order by id desc limit 1',
    );
    return ((rows[0]?.until.getTime() ?? 0) - clock.now().getTime()) / 1000;
  }

  const readLifetimes = async (): Promise<number[]> => {
    const { rows } = await database.query<{ lifetime_s: number }>(
      'select lifetime_s from token_lifetime order by lifetime_s',
    );
    return rows.map(({ lifetime_s }) => lifetime_s);
  };

  test('for the longest time where no instance has recorded a lifetime', async () => {
    expect(await revokeFor_s()).toBe(30 * DAY_S + HOUR_S);
  });

  test('as long as the tokens of the instance with the longest setting', async () => {
    await record(20 * DAY_S);
    await record(DAY_S / 2);
    expect(await revokeFor_s()).toBe(20 * DAY_S + HOUR_S);
    for (let day = 0; day < 30; day++) {
      advance(DAY_S);
      await record(20 * DAY_S);
      await record(DAY_S / 2);
    }
    expect(await revokeFor_s()).toBe(20 * DAY_S + HOUR_S);
  });

  test('after the setting was lowered, until the tokens from before have expired', async () => {
    await record(3 * DAY_S);
    // The last token of that setting is signed just before the next time of recording.
    advance(HOUR_S - 1);
    const lastExpiry_ms = clock.now().getTime() + 3 * DAY_S * 1000;
    await record(HOUR_S);
    for (; clock.now().getTime() < lastExpiry_ms; advance(HOUR_S)) {
      await record(HOUR_S);
      const until_ms = clock.now().getTime() + (await revokeFor_s()) * 1000;
      expect(until_ms).toBeGreaterThan(lastExpiry_ms);
    }
    advance(6 * HOUR_S);
    await record(HOUR_S);
    expect(await revokeFor_s()).toBe(2 * HOUR_S);
  });

  test('after the setting was raised, as long as the longer tokens', async () => {
    await record(HOUR_S);
    expect(await revokeFor_s()).toBe(2 * HOUR_S);
    await record(3 * DAY_S);
    expect(await revokeFor_s()).toBe(3 * DAY_S + HOUR_S);
  });

  test('sessions end for as long as tokens live, and an emergency lasts longest', async () => {
    await record(HOUR_S);
    const userId = await insertUser(database);
    await database.query(
      `insert into oauth_client (client_id, name, redirect_uris, scopes, grant_types, sector,
         is_first_party, requires_pkce, created_at, updated_at)
       values ('app', 'App', '{}', '{}', '{}', 'app', false, true, now(), now())`,
    );
    await database.query(
      `insert into oidc_object (model, id, uid, payload, expires_at)
       values ('Grant', 'g', $1, '{}', 'infinity')`,
      [`${userId} app`],
    );
    const jti = { kind: 'jti', value: 'j', reason: 'revoked', until: clock.now() } as const;
    await transaction(database, async (tx) => {
      await endAllSessions(tx, clock, { userId, reason: 'password_changed' });
      await revokeAllTokens(tx, clock, 'emergency');
      await revoke(tx, clock, jti);
    });
    const { rows } = await database.query<{ kind: string; hours: number }>(
      `select kind, (extract(epoch from until - $1) / 3600)::float8 as hours
       from token_revocation order by id`,
      [clock.now()],
    );
    expect(rows).toEqual([
      { kind: 'user', hours: 2 },
      { kind: 'grant', hours: 721 },
      { kind: 'all', hours: 721 },
      { kind: 'jti', hours: 1 },
    ]);
  });

  test('rows are deleted long after their tokens expired, and a time never falls', async () => {
    await record(20 * DAY_S);
    await record(HOUR_S, createManualClock('2026-12-20T10:00:00Z'));
    await record(HOUR_S);
    const { rows } = await database.query(
      'select last_used_at from token_lifetime where lifetime_s = $1',
      [HOUR_S],
    );
    expect(rows).toEqual([{ last_used_at: new Date('2026-12-20T10:00:00Z') }]);
    // Of an instance whose clock is ahead.
    await record(60, createManualClock('2027-02-18T09:00:00Z'));
    expect(await revokeFor_s()).toBe(20 * DAY_S + HOUR_S);
    advance(91 * DAY_S);
    await record(60);
    expect(await readLifetimes()).toEqual([60, HOUR_S]);
    advance(300 * DAY_S);
    await record(HOUR_S);
    expect(await readLifetimes()).toEqual([HOUR_S]);
  });
});

describe('a lifetime is recorded', () => {
  let written: unknown[];
  let errors: unknown[];
  let failing: Error | undefined;
  let noteGap = (): void => {};
  const clock = createManualClock(START);
  const database = {
    onListenGap: (handler: () => void) => {
      noteGap = handler;
    },
    prepared: async (_name: string, _text: string, values: readonly unknown[]) => {
      if (failing) throw failing;
      written.push(values);
      return { rows: [], rowCount: 1 };
    },
  } as unknown as Database;
  const open = () =>
    createLifetimeRecorder({
      ...{ database, clock, longestToken_s: HOUR_S },
      onError: (error) => errors.push(error),
    });
  async function pass(seconds: number): Promise<void> {
    clock.advance(seconds * 1000);
    await vi.advanceTimersByTimeAsync(seconds * 1000);
  }
  beforeEach(() => {
    vi.useFakeTimers();
    [written, errors, failing] = [[], [], undefined];
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('at the start and each hour, until the instance ends', async () => {
    const recorder = open();
    await recorder.start();
    expect(written).toHaveLength(1);
    for (let minute = 0; minute < 59; minute++) await pass(60);
    expect(written).toHaveLength(1);
    await pass(60);
    expect(written).toHaveLength(2);
    expect(written[1]).toContainEqual(clock.now());
    for (let minute = 0; minute < 60; minute++) await pass(60);
    expect(written).toHaveLength(3);
    recorder.stop();
    for (let minute = 0; minute < 60; minute++) await pass(60);
    expect(written).toHaveLength(3);
  });

  test('or the start fails', async () => {
    failing = new Error('read only');
    await expect(open().start()).rejects.toBe(failing);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('at once after notifications may have been lost, and again after a failure', async () => {
    const recorder = open();
    await recorder.start();
    noteGap();
    await pass(0);
    expect(written).toHaveLength(2);
    failing = new Error('still a standby');
    noteGap();
    await pass(60);
    expect(errors).toEqual([failing, failing]);
    failing = undefined;
    await pass(60);
    expect(written).toHaveLength(3);
    await pass(60);
    expect(written).toHaveLength(3);
    recorder.stop();
  });

  test('soon after the clock was set, in either direction', async () => {
    const recorder = open();
    await recorder.start();
    for (const jump_s of [2 * DAY_S, -DAY_S]) {
      clock.advance(jump_s * 1000);
      await pass(60);
    }
    expect(written).toHaveLength(3);
    recorder.stop();
  });
});
