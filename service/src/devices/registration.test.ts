import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { type DeviceLab, FORM, openDeviceLab } from '../../test/support/device-fixture.ts';
import { insertUser } from '../../test/support/test-users.ts';

describe.each(RUN_ENGINES)('registrations of devices on the %s database', (engine) => {
  let lab: DeviceLab;
  beforeAll(async () => {
    lab = await openDeviceLab(engine);
  });
  afterAll(() => lab.close());

  test('a time zone is one of the IANA database, or left out', async () => {
    const { database, deviceToken, put } = lab;
    const token = await deviceToken(await insertUser(database));
    for (const timezone of [
      'Mars/Olympus',
      '+01:00',
      'CEST',
      'Etc/Unknown',
      'AST',
      'SystemV/PST8',
      'europe/berlin',
    ])
      expect((await put('zone', token, { ...FORM, timezone })).json()).toMatchObject({
        status: 400,
        code: 'invalid_parameter',
        errors: [
          {
            field: 'timezone',
            message: 'must be a time zone of the IANA database, as Europe/Berlin',
          },
        ],
      });
    const { timezone: _, ...rest } = FORM;
    expect((await put('zone', token, rest)).json()).toMatchObject({ timezone: '' });
    for (const timezone of [
      'Asia/Calcutta',
      'US/Pacific',
      'UTC',
      '',
      'America/Argentina/Buenos_Aires',
    ])
      expect((await put('zone', token, { ...FORM, timezone })).json()).toMatchObject({ timezone });
    expect((await put('zone', token, rest)).json()).toMatchObject({
      timezone: 'America/Argentina/Buenos_Aires',
    });
  });

  test(
    'a key makes the node: no other name, no token without the key, and its holder ' +
      'evicts a squatter',
    async () => {
      const { database, deviceToken, list, put } = lab;
      const [owner, squatter] = [await insertUser(database), await insertUser(database)];
      const jkt = 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs';
      await put(jkt, await deviceToken(squatter));
      expect((await put('other', await deviceToken(owner, { jkt }))).json()).toMatchObject({
        code: 'node_key_mismatch',
        status: 403,
      });
      expect((await put(jkt, await deviceToken(owner, { jkt }))).statusCode).toBe(200);
      expect(await list(squatter)).toEqual([]);
      expect((await put(jkt, await deviceToken(owner))).json()).toMatchObject({
        code: 'node_key_mismatch',
      });
      expect((await put(jkt, await deviceToken(squatter, { jkt }))).json()).toMatchObject({
        code: 'node_taken',
      });
    },
  );

  test('a token serves one device, even when two registrations race', async () => {
    const { database, deviceToken, list, put } = lab;
    const userId = await insertUser(database);
    const token = await deviceToken(userId, { grantId: `${engine}-one` });
    const answers = await Promise.all(['race-a', 'race-b'].map((node) => put(node, token)));
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 403]);
    const bound = answers[0]?.statusCode === 200 ? 'race-a' : 'race-b';
    expect((await put(bound, token)).statusCode).toBe(200);
    expect(
      (await put('race-c', await deviceToken(userId, { grantId: `${engine}-one` }))).json(),
    ).toMatchObject({ code: 'token_bound_elsewhere' });
    expect(await list(userId)).toHaveLength(1);
  });

  test('parallel registrations of one device create one device', async () => {
    const { database, deviceToken, list, put } = lab;
    const userId = await insertUser(database);
    const answers = await Promise.all(
      [1, 2, 3, 4].map(async () => put('same', await deviceToken(userId))),
    );
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 200]);
    expect(await list(userId)).toHaveLength(1);
  });

  test('a token that was issued for a device is valid only once it has registered it', async () => {
    const { database, deviceToken, post, put } = lab;
    const userId = await insertUser(database);
    await put('claimed', await deviceToken(userId));
    const issued = await deviceToken(userId, { nodeId: 'claimed' });
    expect((await post('claimed/heartbeat', issued)).json()).toMatchObject({
      code: 'token_not_bound',
    });
    expect((await put('claimed', issued)).statusCode).toBe(200);
    expect((await post('claimed/heartbeat', issued)).statusCode).toBe(200);
  });

  test('an invalid registration is refused with a reason', async () => {
    const { app, database, deviceToken, person, post, put } = lab;
    const [userId, stranger] = [await insertUser(database), await insertUser(database)];
    const token = await deviceToken(userId);
    await put('good', token);
    expect((await post('good/disconnect', person(stranger))).statusCode).toBe(404);
    expect((await post('good/delete', person(stranger))).statusCode).toBe(404);
    expect((await post('good/heartbeat', await deviceToken(stranger))).statusCode).toBe(404);
    expect((await post('good/heartbeat', await deviceToken(userId))).json()).toMatchObject({
      code: 'token_not_bound',
    });
    expect(
      (await post('good/heartbeat', await deviceToken(userId, { nodeId: 'another' }))).json(),
    ).toMatchObject({ code: 'insufficient_scope' });
    expect((await post('good/heartbeat', person(userId))).json()).toMatchObject({
      code: 'wrong_token_kind',
    });
    expect((await put('good', person(userId))).json()).toMatchObject({ code: 'wrong_token_kind' });
    expect(
      (
        await app.inject({
          method: 'GET',
          url: '/me/devices',
          headers: await deviceToken(userId, { nodeId: 'good' }),
        })
      ).statusCode,
    ).toBe(403);
    expect(
      (
        await app.inject({
          method: 'GET',
          url: '/me/devices?status=asleep',
          headers: person(userId),
        })
      ).json(),
    ).toMatchObject({
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
