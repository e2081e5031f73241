import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { testConfig } from '../../test/support/test-config.ts';
import { deviceDeps } from '../../test/support/test-devices.ts';
import { bearer, createTestServer } from '../../test/support/test-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { type Database, transaction } from '../db/index.ts';
import type { HttpServer } from '../http/index.ts';
import { createSession } from '../identity/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { registerDevices } from './index.ts';

const START = '2026-11-20T05:00:00.000Z';
const FORM = {
  device_type: 'TERMINAL',
  browser: 'edge-terminal',
  extension_version: '1.2.0',
  os: 'Linux',
  timezone: 'Europe/Berlin',
  capabilities: ['relay', 'cache'],
  requested_categories: ['web', 'video'],
};

describe.each(ENGINES)('devices on the %s database', (engine) => {
  let database: Database;
  let app: HttpServer;
  const clock = createManualClock(START);

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    const config = testConfig({ DEVICES_PER_USER: '3', REGISTRATIONS_PER_HOUR: '5' });
    app = createTestServer(config);
    registerDevices(app, { config, database, clock, ...deviceDeps(database, clock) });
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  let tokens = 0;
  /** A device token of a sign-in that happens now. */
  const deviceToken = async (userId: number, claims: Record<string, unknown> = {}) => {
    const authTime = clock.now();
    const { sid } = await transaction(database, (tx) =>
      createSession(tx, { userId, amr: ['pwd', 'otp'], authTime, expiresAt: new Date(authTime.getTime() + 43_200_000) }),
    );
    return bearer({ userId, tokenUse: 'device', scopes: ['device:connect', 'devices:read'], jti: `${engine}-${++tokens}`, sid, ...claims });
  };
  const person = (userId: number) => bearer({ userId, tokenUse: 'business', scopes: ['devices:read', 'devices:write'] });
  const put = (nodeId: string, headers: Record<string, string>, payload: object = FORM) =>
    app.inject({ method: 'PUT', url: `/me/devices/${nodeId}`, headers, payload });
  const post = (path: string, headers: Record<string, string>) => app.inject({ method: 'POST', url: `/me/devices/${path}`, headers });
  /** What identity was told, as its feed shows it. */
  const tokenChanges = async (kind: string, value: string) => {
    const { rows } = await database.query('select reason, node_id from token_change where kind = $1 and value = $2', [kind, value]);
    return rows;
  };
  const list = async (userId: number, query = '') =>
    (await app.inject({ method: 'GET', url: `/me/devices${query}`, headers: person(userId) })).json().devices as Record<string, unknown>[];

  test('a time zone is one of the IANA database, or left out', async () => {
    const token = await deviceToken(await insertUser(database));
    for (const timezone of ['Mars/Olympus', '+01:00', 'CEST', 'Etc/Unknown', 'AST', 'SystemV/PST8', 'europe/berlin'])
      expect((await put('zone', token, { ...FORM, timezone })).json()).toMatchObject({
        status: 400,
        code: 'invalid_parameter',
        errors: [{ field: 'timezone', message: 'must be a time zone of the IANA database, as Europe/Berlin' }],
      });
    const { timezone: _, ...rest } = FORM;
    expect((await put('zone', token, rest)).json()).toMatchObject({ timezone: '' });
    for (const timezone of ['Asia/Calcutta', 'US/Pacific', 'UTC', '', 'America/Argentina/Buenos_Aires'])
      expect((await put('zone', token, { ...FORM, timezone })).json()).toMatchObject({ timezone });
    expect((await put('zone', token, rest)).json()).toMatchObject({ timezone: 'America/Argentina/Buenos_Aires' });
  });

  test('a device registers, beats, goes silent, and says why', async () => {
    const userId = await insertUser(database);
    const token = await deviceToken(userId, { jti: `${engine}-life` });
    expect((await put('life', token)).json()).toEqual({
      node_id: 'life',
      name: 'edge-terminal on Linux',
      ...FORM,
      status: 'offline',
      status_reason: 'registered, not connected yet',
      status_reason_code: 'not_connected_yet',
      status_since: '2026-11-20T05:00:00.000Z',
      granted_categories: [],
      traffic_gb: 0,
      created_at: START,
      last_seen_at: START,
    });
    expect(await tokenChanges('bind_jti', `${engine}-life`)).toEqual([{ reason: null, node_id: 'life' }]);
    clock.advance(10_000);
    expect((await post('life/heartbeat', token)).json()).toMatchObject({ status: 'online', heartbeat_interval: 30 });
    expect(await list(userId)).toMatchObject([
      { status: 'online', status_reason: 'heard 0 s ago', status_reason_code: 'heard', last_seen_at: '2026-11-20T05:00:10.000Z' },
    ]);
    clock.advance(89_999);
    expect(await list(userId, '?status=online')).toHaveLength(1);
    clock.advance(1);
    expect(await list(userId)).toMatchObject([
      { status: 'offline', status_reason: 'no heartbeat for 90 s', status_reason_code: 'silent', status_since: '2026-11-20T05:00:10.000Z' },
    ]);
    expect(await list(userId, '?status=online')).toEqual([]);
  });

  test('disconnect cuts it off, and only a grant authorised afterwards brings it back', async () => {
    const userId = await insertUser(database);
    const first = await deviceToken(userId, { jti: `${engine}-cut`, grantId: `${engine}-grant` });
    const spare = await deviceToken(userId);
    await put('cut', first);
    await post('cut/heartbeat', first);
    clock.advance(1000);
    const cut = await post('cut/disconnect', person(userId));
    expect(cut.json()).toMatchObject({
      node_id: 'cut',
      status: 'disconnected',
      status_reason: expect.stringMatching(/^disconnected by you on 2026-11-20 05:\d\d UTC$/),
      status_reason_code: 'cut_by_owner',
    });
    const revocation = { reason: 'disconnected by you', node_id: null };
    expect(await tokenChanges('jti', `${engine}-cut`)).toEqual([revocation]);
    expect(await tokenChanges('grant', `${engine}-grant`)).toEqual([revocation]);
    expect((await post('cut/disconnect', person(userId))).json()).toEqual(cut.json());
    expect((await put('cut', spare)).json()).toMatchObject({ code: 'token_not_fresh', status: 403 });
    clock.advance(1);
    expect((await put('cut', await deviceToken(userId))).json()).toMatchObject({
      status: 'offline',
      status_reason: expect.stringMatching(/^registered again on 2026-11-20 05:\d\d UTC, not connected since$/),
      status_reason_code: 'registered_again',
    });
    expect((await put('cut', spare)).json()).toMatchObject({ code: 'token_not_fresh' });
    expect(await list(userId)).toHaveLength(1);
    const { rows } = await database.query(
      'select extract(epoch from to_at - from_at)::float8 as seconds from device_gap g join device d on d.id = g.device_id where d.user_id = $1',
      [userId],
    );
    expect(rows).toEqual([{ seconds: 0.001 }]);
  });

  test('delete takes it off the list and keeps its history; another account may have the node then', async () => {
    const [owner, other] = [await insertUser(database), await insertUser(database)];
    await put('gone', await deviceToken(owner));
    expect((await put('gone', await deviceToken(other))).json()).toMatchObject({ code: 'node_taken', status: 409 });
    const gone = await post('gone/delete', person(owner));
    expect(gone.json()).toMatchObject({ status: 'deleted' });
    expect((await post('gone/delete', person(owner))).json()).toEqual(gone.json());
    expect((await post('gone/disconnect', person(owner))).json()).toMatchObject({ code: 'device_deleted', status: 409 });
    expect(await list(owner)).toEqual([]);
    expect(await list(owner, '?status=deleted')).toMatchObject([{ node_id: 'gone' }]);
    expect((await put('gone', await deviceToken(other))).statusCode).toBe(200);
    clock.advance(1);
    expect((await put('gone', await deviceToken(owner))).json()).toMatchObject({ code: 'node_taken' });
    await post('gone/delete', person(other));
    expect((await put('gone', await deviceToken(owner))).json()).toMatchObject({ status: 'offline' });
  });

  test('a key makes the node: no other name, no token without the key, and its holder evicts a squatter', async () => {
    const [owner, squatter] = [await insertUser(database), await insertUser(database)];
    const jkt = 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs';
    await put(jkt, await deviceToken(squatter));
    expect((await put('other', await deviceToken(owner, { jkt }))).json()).toMatchObject({ code: 'node_key_mismatch', status: 403 });
    expect((await put(jkt, await deviceToken(owner, { jkt }))).statusCode).toBe(200);
    expect(await list(squatter)).toEqual([]);
    expect((await put(jkt, await deviceToken(owner))).json()).toMatchObject({ code: 'node_key_mismatch' });
    expect((await put(jkt, await deviceToken(squatter, { jkt }))).json()).toMatchObject({ code: 'node_taken' });
  });

  test('a token serves one node, even when two registrations race', async () => {
    const userId = await insertUser(database);
    const token = await deviceToken(userId, { grantId: `${engine}-one` });
    const answers = await Promise.all(['race-a', 'race-b'].map((node) => put(node, token)));
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 403]);
    const bound = answers[0]?.statusCode === 200 ? 'race-a' : 'race-b';
    expect((await put(bound, token)).statusCode).toBe(200);
    expect((await put('race-c', await deviceToken(userId, { grantId: `${engine}-one` }))).json()).toMatchObject({ code: 'token_bound_elsewhere' });
    expect(await list(userId)).toHaveLength(1);
  });

  test('parallel registrations of one node make one device', async () => {
    const userId = await insertUser(database);
    const answers = await Promise.all([1, 2, 3, 4].map(async () => put('same', await deviceToken(userId))));
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 200]);
    expect(await list(userId)).toHaveLength(1);
  });

  test('a token that was issued for a node works only once it has registered it', async () => {
    const userId = await insertUser(database);
    await put('claimed', await deviceToken(userId));
    const issued = await deviceToken(userId, { nodeId: 'claimed' });
    expect((await post('claimed/heartbeat', issued)).json()).toMatchObject({ code: 'token_not_bound' });
    expect((await put('claimed', issued)).statusCode).toBe(200);
    expect((await post('claimed/heartbeat', issued)).statusCode).toBe(200);
  });

  test('there is a limit for a person', async () => {
    const userId = await insertUser(database);
    const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(async (node) => put(`limit-${node}`, await deviceToken(userId))));
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 200, 200, 409, 409]);
    expect(answers.find((answer) => answer.statusCode === 409)?.json()).toMatchObject({ code: 'device_limit' });
  });

  test('only registrations that succeed count against the limit of an hour', async () => {
    const userId = await insertUser(database);
    for (const node of ['hour-1', 'hour-2', 'hour-3']) await put(node, await deviceToken(userId));
    for (let i = 0; i < 3; i++) expect((await put('hour-4', await deviceToken(userId))).json()).toMatchObject({ code: 'device_limit' });
    for (const [gone, next] of [
      ['hour-1', 'hour-4'],
      ['hour-2', 'hour-5'],
    ] as const) {
      await post(`${gone}/delete`, person(userId));
      expect((await put(next, await deviceToken(userId))).statusCode).toBe(200);
    }
    await post('hour-3/delete', person(userId));
    expect((await put('hour-6', await deviceToken(userId))).json()).toMatchObject({ code: 'rate_limited', status: 429 });
    await put('hour-4', await deviceToken(userId));
    clock.advance(3_600_000);
    expect((await put('hour-6', await deviceToken(userId))).statusCode).toBe(200);
  });

  test('a /64 of IPv6 is one address, as it is one customer', async () => {
    const config = testConfig({ DEVICES_PER_ADDRESS: '2' });
    const small = createTestServer(config);
    registerDevices(small, { config, database, clock, ...deviceDeps(database, clock) });
    const userId = await insertUser(database);
    const from = async (remoteAddress: string, nodeId: string) => {
      const headers = await deviceToken(userId);
      return (await small.inject({ method: 'PUT', url: `/me/devices/${nodeId}`, headers, payload: FORM, remoteAddress })).json().code;
    };
    expect(await from('2001:db8:1:2::1', 'six-1')).toBeUndefined();
    expect(await from('2001:db8:1:2:ffff::2', 'six-2')).toBeUndefined();
    expect(await from('2001:db8:1:2::3', 'six-3')).toBe('device_limit');
    expect(await from('2001:db8:1:3::3', 'six-3')).toBeUndefined();
    await small.close();
  });

  test('the limit of an address holds for people who register at once', async () => {
    const config = testConfig({ DEVICES_PER_ADDRESS: '2' });
    const small = createTestServer(config);
    registerDevices(small, { config, database, clock, ...deviceDeps(database, clock) });
    const remoteAddress = '198.51.100.77';
    const owners = await Promise.all(Array.from({ length: 8 }, async () => deviceToken(await insertUser(database))));
    const register = (headers: Record<string, string>, i: number) =>
      small.inject({ method: 'PUT', url: `/me/devices/crowd-${i}`, headers, payload: FORM, remoteAddress });
    const codes = (await Promise.all(owners.map(register))).map((answer) => answer.json().code ?? 'registered');
    expect(codes.sort()).toEqual([...Array<string>(6).fill('device_limit'), 'registered', 'registered']);
    await small.close();
  });

  test('a device that registers again from elsewhere takes no place there, and frees none', async () => {
    const config = testConfig({ DEVICES_PER_ADDRESS: '2' });
    const small = createTestServer(config);
    registerDevices(small, { config, database, clock, ...deviceDeps(database, clock) });
    const userId = await insertUser(database);
    const from = async (remoteAddress: string, nodeId: string) => {
      const headers = await deviceToken(userId);
      return (await small.inject({ method: 'PUT', url: `/me/devices/${nodeId}`, headers, payload: FORM, remoteAddress })).json().code ?? 'registered';
    };
    const codes: string[] = [];
    for (const n of [1, 2, 3]) codes.push(await from('198.51.100.80', `moving-${n}`));
    for (const n of [1, 2]) codes.push(await from('198.51.100.81', `moving-${n}`));
    for (const n of [3, 4]) codes.push(await from('198.51.100.80', `moving-${n}`));
    expect(codes).toEqual(['registered', 'registered', 'device_limit', 'registered', 'registered', 'device_limit', 'device_limit']);
    await small.close();
  });

  test('its owner renames it and grants what it asked for', async () => {
    const userId = await insertUser(database);
    await put('named', await deviceToken(userId));
    const patch = (payload: object, node = 'named') => app.inject({ method: 'PATCH', url: `/me/devices/${node}`, headers: person(userId), payload });
    expect((await patch({ name: 'Attic 🏠', granted_categories: ['web'] })).json()).toMatchObject({ name: 'Attic 🏠', granted_categories: ['web'] });
    expect((await patch({ granted_categories: ['games'] })).json()).toMatchObject({ code: 'invalid_parameter', errors: [{ field: 'granted_categories' }] });
    await put('named', await deviceToken(userId), { ...FORM, requested_categories: ['video'] });
    expect((await list(userId))[0]).toMatchObject({ granted_categories: [], name: 'Attic 🏠' });
    expect((await patch({ name: '' })).json()).toMatchObject({ name: 'edge-terminal on Linux' });
    for (const payload of [{}, { name: 'x\u202ey' }, { name: 'x\u200b' }, { name: 'a\nb' }, { name: 'x'.repeat(65) }, { name: 5 }])
      expect((await patch(payload)).json()).toMatchObject({ code: 'invalid_parameter' });
    expect((await patch({ name: 'x' }, 'unknown')).statusCode).toBe(404);
  });

  test('what is wrong is refused with a reason', async () => {
    const [userId, stranger] = [await insertUser(database), await insertUser(database)];
    const token = await deviceToken(userId);
    await put('good', token);
    expect((await post('good/disconnect', person(stranger))).statusCode).toBe(404);
    expect((await post('good/delete', person(stranger))).statusCode).toBe(404);
    expect((await post('good/heartbeat', await deviceToken(stranger))).statusCode).toBe(404);
    expect((await post('good/heartbeat', await deviceToken(userId))).json()).toMatchObject({ code: 'token_not_bound' });
    expect((await post('good/heartbeat', await deviceToken(userId, { nodeId: 'another' }))).json()).toMatchObject({ code: 'insufficient_scope' });
    expect((await post('good/heartbeat', person(userId))).json()).toMatchObject({ code: 'wrong_token_kind' });
    expect((await put('good', person(userId))).json()).toMatchObject({ code: 'wrong_token_kind' });
    expect((await app.inject({ method: 'GET', url: '/me/devices', headers: await deviceToken(userId, { nodeId: 'good' }) })).statusCode).toBe(403);
    expect((await app.inject({ method: 'GET', url: '/me/devices?status=asleep', headers: person(userId) })).json()).toMatchObject({
      code: 'invalid_parameter',
    });
    for (const node of ['with%20space', 'a%00b', 'x'.repeat(129), '%F0%9F%98%80', 'connect'])
      expect((await put(node, await deviceToken(userId))).statusCode, node).toBe(404);
    const many = { ...FORM, capabilities: Array.from({ length: 10_000 }, (_, i) => String(i)) };
    expect((await put('good', token, many)).json()).toMatchObject({ code: 'body_too_large' });
    for (const wrong of [
      { ...FORM, capabilities: Array.from({ length: 33 }, (_, i) => String(i)) },
      { ...FORM, requested_categories: ['x'.repeat(65)] },
      { ...FORM, device_type: 'TOASTER' },
      { ...FORM, os: 'x\u0007' },
      { ...FORM, browser: null },
      [],
    ])
      expect((await put('good', token, wrong)).json()).toMatchObject({ code: 'invalid_parameter' });
  });
});
