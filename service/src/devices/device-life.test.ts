import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { type DeviceLab, FORM, openDeviceLab, START } from '../../test/support/device-fixture.ts';
import { insertUser } from '../../test/support/test-users.ts';

describe.each(RUN_ENGINES)('the life of a device on the %s database', (engine) => {
  let lab: DeviceLab;
  beforeAll(async () => {
    lab = await openDeviceLab(engine);
  });
  afterAll(() => lab.close());

  /** Revocations, as the feed of identity shows them. */
  const readRevocations = async (kind: string, value: string) => {
    const { rows } = await lab.database.query(
      'select reason from token_revocation where kind = $1 and value = $2',
      [kind, value],
    );
    return rows;
  };

  test('a device registers, sends heartbeats, goes silent, and shows the reason', async () => {
    const { clock, database, deviceToken, list, post, put } = lab;
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
    clock.advance(10_000);
    expect((await post('life/heartbeat', token)).json()).toMatchObject({
      status: 'online',
      heartbeat_interval: 30,
    });
    expect(await list(userId)).toMatchObject([
      {
        status: 'online',
        status_reason: 'heard 0 s ago',
        status_reason_code: 'heard',
        last_seen_at: '2026-11-20T05:00:10.000Z',
      },
    ]);
    clock.advance(89_999);
    expect(await list(userId, '?status=online')).toHaveLength(1);
    clock.advance(1);
    expect(await list(userId)).toMatchObject([
      {
        status: 'offline',
        status_reason: 'no heartbeat for 90 s',
        status_reason_code: 'silent',
        status_since: '2026-11-20T05:00:10.000Z',
      },
    ]);
    expect(await list(userId, '?status=online')).toEqual([]);
  });

  test('a disconnect revokes it; only a grant authorised later restores it', async () => {
    const { clock, database, deviceToken, list, person, post, put } = lab;
    const userId = await insertUser(database);
    const first = await deviceToken(userId, { jti: `${engine}-cut`, grantId: `${engine}-grant` });
    const spare = await deviceToken(userId);
    await put('cut', first);
    await post('cut/heartbeat', first);
    for (const model of ['Grant', 'RefreshToken'])
      await database.query(
        `insert into oidc_object (model, id, grant_id, payload, expires_at)
         values ($1, $2, $2, '{}', 'infinity')`,
        [model, `${engine}-grant`],
      );
    clock.advance(1000);
    const cut = await post('cut/disconnect', person(userId));
    expect(cut.json()).toMatchObject({
      node_id: 'cut',
      status: 'disconnected',
      status_reason: expect.stringMatching(/^disconnected by you on 2026-11-20 05:\d\d UTC$/),
      status_reason_code: 'cut_by_owner',
    });
    const revocation = { reason: 'device_disconnected_by_owner' };
    expect(await readRevocations('jti', `${engine}-cut`)).toEqual([revocation]);
    expect(await readRevocations('grant', `${engine}-grant`)).toEqual([revocation]);
    // It would outlive its revocation.
    const { rows: grants } = await database.query('select id from oidc_object');
    expect(grants).toEqual([]);
    expect((await post('cut/disconnect', person(userId))).json()).toEqual(cut.json());
    expect((await put('cut', spare)).json()).toMatchObject({
      code: 'token_not_fresh',
      status: 403,
    });
    clock.advance(1);
    expect((await put('cut', await deviceToken(userId))).json()).toMatchObject({
      status: 'offline',
      status_reason: expect.stringMatching(
        /^registered again on 2026-11-20 05:\d\d UTC, not connected since$/,
      ),
      status_reason_code: 'registered_again',
    });
    expect((await put('cut', spare)).json()).toMatchObject({ code: 'token_not_fresh' });
    expect(await list(userId)).toHaveLength(1);
    const { rows } = await database.query(
      'select extract(epoch from to_at - from_at)::float8 as seconds from device_gap g ' +
        'join device d on d.id = g.device_id where d.user_id = $1',
      [userId],
    );
    expect(rows).toEqual([{ seconds: 0.001 }]);
  });

  test(
    'a delete removes it from the list and keeps its history; another account may have the ' +
      'node then',
    async () => {
      const { clock, database, deviceToken, list, person, post, put } = lab;
      const [owner, other] = [await insertUser(database), await insertUser(database)];
      await put('gone', await deviceToken(owner));
      expect((await put('gone', await deviceToken(other))).json()).toMatchObject({
        code: 'node_taken',
        status: 409,
      });
      const gone = await post('gone/delete', person(owner));
      expect(gone.json()).toMatchObject({ status: 'deleted' });
      expect((await post('gone/delete', person(owner))).json()).toEqual(gone.json());
      expect((await post('gone/disconnect', person(owner))).json()).toMatchObject({
        code: 'device_deleted',
        status: 409,
      });
      expect(await list(owner)).toEqual([]);
      expect(await list(owner, '?status=deleted')).toMatchObject([{ node_id: 'gone' }]);
      expect((await put('gone', await deviceToken(other))).statusCode).toBe(200);
      clock.advance(1);
      expect((await put('gone', await deviceToken(owner))).json()).toMatchObject({
        code: 'node_taken',
      });
      await post('gone/delete', person(other));
      expect((await put('gone', await deviceToken(owner))).json()).toMatchObject({
        status: 'offline',
      });
    },
  );

  test('its owner renames it and grants the categories that it requested', async () => {
    const { app, database, deviceToken, list, person, put } = lab;
    const userId = await insertUser(database);
    await put('named', await deviceToken(userId));
    const patch = (payload: object, node = 'named') =>
      app.inject({ method: 'PATCH', url: `/me/devices/${node}`, headers: person(userId), payload });
    expect((await patch({ name: 'Attic 🏠', granted_categories: ['web'] })).json()).toMatchObject({
      name: 'Attic 🏠',
      granted_categories: ['web'],
    });
    expect((await patch({ granted_categories: ['games'] })).json()).toMatchObject({
      code: 'invalid_parameter',
      errors: [{ field: 'granted_categories' }],
    });
    await put('named', await deviceToken(userId), { ...FORM, requested_categories: ['video'] });
    expect((await list(userId))[0]).toMatchObject({ granted_categories: [], name: 'Attic 🏠' });
    for (const name of ['', ' ', '\u3164\u3164', '\u00ad'])
      expect((await patch({ name })).json(), JSON.stringify(name)).toMatchObject({
        name: 'edge-terminal on Linux',
      });
    for (const payload of [
      {},
      { name: 'x\u202ey' },
      { name: 'x\u200b' },
      { name: 'a\nb' },
      { name: 'x'.repeat(65) },
      { name: 5 },
    ])
      expect((await patch(payload)).json()).toMatchObject({ code: 'invalid_parameter' });
    expect((await patch({ name: 'x' }, 'unknown')).statusCode).toBe(404);
  });
});
