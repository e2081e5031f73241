import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../../test/support/databases.ts';
import { insertUser } from '../../../test/support/test-users.ts';
import { type Database, transaction } from '../../db/index.ts';
import { createManualClock } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import {
  createSession,
  createTokenState,
  endAllSessions,
  endSession,
  listSessions,
  type Revocation,
  revoke,
  type TokenState,
} from './index.ts';

const START = '2026-11-20T10:00:00Z';
const LATER = new Date('2026-11-21T10:00:00Z');

describe.each(ENGINES)('sessions on %s', (engine) => {
  const clock = createManualClock(START);
  let database: Database;
  let here: TokenState;
  let there: TokenState;
  const heard: Revocation[] = [];

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    here = createTokenState(database, clock);
    there = createTokenState(database, clock);
    there.onRevoked((revocation) => heard.push(revocation));
    await here.start();
    await there.start();
  });
  afterAll(async () => {
    here.stop();
    there.stop();
    await database.close();
  });

  const open = async (userId: number) => {
    const sid = newId();
    const session = {
      sid,
      userId,
      amr: ['pwd', 'otp'],
      authTime: clock.now(),
      expiresAt: LATER,
      ip: '::1',
      userAgent: 'test',
    };
    await transaction(database, (tx) => createSession(tx, session));
    return sid;
  };
  const token = (userId: number, sid: string, issuedAt = clock.now()) => ({
    jti: `jti-${sid}`,
    sid,
    userId,
    issuedAt,
  });
  const reasonAt = async (state: TokenState, facts: Parameters<TokenState['check']>[0]) =>
    state.check(facts);

  test('a session is listed until it is ended, by its owner only, once', async () => {
    const userId = await insertUser(database);
    const sid = await open(userId);
    expect(await listSessions(database, userId, clock.now())).toMatchObject([
      { sid, userId, amr: ['pwd', 'otp'], ip: '::1' },
    ]);
    expect(await listSessions(database, userId, LATER)).toEqual([]);
    const end = (owner: number) =>
      transaction(database, (tx) =>
        endSession(tx, clock, { sid, reason: 'logout', userId: owner }),
      );
    expect(await end(userId + 1)).toBe(false);
    expect(await end(userId)).toBe(true);
    expect(await end(userId)).toBe(false);
    expect(await listSessions(database, userId, clock.now())).toEqual([]);
  });

  test('the end of a session is effective on every instance, immediately', async () => {
    const userId = await insertUser(database);
    const sid = await open(userId);
    expect(await reasonAt(there, token(userId, sid))).toBeUndefined();
    await transaction(database, (tx) => endSession(tx, clock, { sid, reason: 'logout' }));
    await expect.poll(() => reasonAt(there, token(userId, sid))).toBe('logout');
    await expect.poll(() => reasonAt(here, token(userId, sid))).toBe('logout');
    expect(heard.filter((revocation) => revocation.value === sid)).toHaveLength(1);
  });

  test('the instance that commits a revocation refuses the token at once, each time', async () => {
    for (let index = 0; index < 10; index++) {
      const value = `own ${index}`;
      expect(await here.check({ jti: value, issuedAt: clock.now() })).toBeUndefined();
      const revocation = { kind: 'jti', value, reason: 'revoked', until: LATER } as const;
      await transaction(database, (tx) => revoke(tx, clock, revocation));
      expect(await here.check({ jti: value, issuedAt: clock.now() })).toBe('revoked');
    }
  });

  test('ending all sessions excludes the calling one, and tokens issued after it', async () => {
    const userId = await insertUser(database);
    const [mine, other] = [await open(userId), await open(userId)];
    await transaction(database, (tx) =>
      endAllSessions(tx, clock, { userId, reason: 'password_changed', exceptSid: mine }),
    );
    await expect.poll(() => reasonAt(there, token(userId, other))).toBe('password_changed');
    expect(await reasonAt(there, token(userId, mine))).toBeUndefined();
    clock.advance(1);
    expect(await reasonAt(there, token(userId, await open(userId)))).toBeUndefined();
    expect((await listSessions(database, userId, clock.now())).map(({ sid }) => sid)).toContain(
      mine,
    );
  });

  test('tokens of a device are revoked with it, for its owner only', async () => {
    const userId = await insertUser(database);
    const bound = { jti: 'refreshed', userId, nodeId: 'node-1', issuedAt: clock.now() };
    clock.advance(5);
    await transaction(database, (tx) =>
      revoke(tx, clock, {
        kind: 'node',
        value: `${userId} node-1`,
        reason: 'disconnected',
        until: LATER,
      }),
    );
    await expect.poll(() => reasonAt(there, bound)).toBe('disconnected');
    const issued = { jti: 'never registered', userId, nodeId: 'node-1', issuedAt: bound.issuedAt };
    expect(await reasonAt(there, issued)).toBe('disconnected');
    expect(await reasonAt(there, { ...issued, nodeId: 'node-2' })).toBeUndefined();
    // A later owner of the device may have signed in before.
    expect(await reasonAt(there, { ...issued, userId: userId + 1 })).toBeUndefined();
    clock.advance(5);
    expect(await reasonAt(there, { ...bound, issuedAt: clock.now() })).toBeUndefined();
  });

  test('while the feed has not started the database is asked', async () => {
    await transaction(database, (tx) =>
      revoke(tx, clock, { kind: 'jti', value: 'gone', reason: 'revoked', until: LATER }),
    );
    const cold = createTokenState(database, clock);
    expect(await cold.check({ jti: 'gone', issuedAt: clock.now() })).toBe('revoked');
    expect(await cold.check({ jti: 'alive', issuedAt: clock.now() })).toBeUndefined();
  });
});

test('a revocation that commits late and without notification is not lost', async () => {
  const database = await openTestDatabase('server');
  const clock = createManualClock(START);
  const state = createTokenState(database, clock);
  const facts = (jti: string) => ({ jti, issuedAt: clock.now() });
  const revokeJti = (jti: string) => (tx: Parameters<typeof revoke>[0]) =>
    revoke(tx, clock, { kind: 'jti', value: jti, reason: 'late', until: LATER });
  let commit = (): void => {};
  let inserted = (): void => {};
  const isInserted = new Promise<void>((resolve) => {
    inserted = resolve;
  });
  const slow = transaction(database, async (tx) => {
    await revokeJti('slow')(tx);
    inserted();
    await new Promise<void>((resolve) => {
      commit = resolve;
    });
  });
  await isInserted;
  await transaction(database, revokeJti('quick'));
  expect(await state.check(facts('quick'))).toBe('late');
  commit();
  await slow;
  // Never started: each check polls from the horizon of the previous one.
  const late = createTokenState(database, clock);
  expect(await late.check(facts('slow'))).toBe('late');
  await expect.poll(async () => state.check(facts('slow'))).toBe('late');
  await database.close();
});

test('an instance that cannot reach the database refuses to answer from memory', async () => {
  const database = await openTestDatabase('server');
  const state = createTokenState(database, createManualClock(START));
  await database.close();
  await expect(state.check({ jti: 'any', issuedAt: new Date(START) })).rejects.toMatchObject({
    code: 'unavailable',
  });
});
