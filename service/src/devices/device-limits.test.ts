import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { type DeviceLab, openDeviceLab } from '../../test/support/device-fixture.ts';
import { insertUser } from '../../test/support/test-users.ts';

describe.each(RUN_ENGINES)('limits on devices on the %s database', (engine) => {
  let lab: DeviceLab;
  beforeAll(async () => {
    lab = await openDeviceLab(engine, { DEVICES_PER_USER: '3', REGISTRATIONS_PER_HOUR: '5' });
  });
  afterAll(() => lab.close());

  test('the number of devices per user is limited', async () => {
    const { database, deviceToken, put } = lab;
    const userId = await insertUser(database);
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map(async (node) =>
        put(`limit-${node}`, await deviceToken(userId)),
      ),
    );
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 200, 200, 409, 409]);
    expect(answers.find((answer) => answer.statusCode === 409)?.json()).toMatchObject({
      code: 'device_limit',
    });
  });

  test('only successful registrations count against the hourly limit', async () => {
    const { clock, database, deviceToken, person, post, put } = lab;
    const userId = await insertUser(database);
    for (const node of ['hour-1', 'hour-2', 'hour-3']) await put(node, await deviceToken(userId));
    for (let i = 0; i < 3; i++)
      expect((await put('hour-4', await deviceToken(userId))).json()).toMatchObject({
        code: 'device_limit',
      });
    for (const [gone, next] of [
      ['hour-1', 'hour-4'],
      ['hour-2', 'hour-5'],
    ] as const) {
      await post(`${gone}/delete`, person(userId));
      expect((await put(next, await deviceToken(userId))).statusCode).toBe(200);
    }
    await post('hour-3/delete', person(userId));
    expect((await put('hour-6', await deviceToken(userId))).json()).toMatchObject({
      code: 'rate_limited',
      status: 429,
    });
    await put('hour-4', await deviceToken(userId));
    clock.advance(3_600_000);
    expect((await put('hour-6', await deviceToken(userId))).statusCode).toBe(200);
  });

  test('a /64 of IPv6 counts as one address, because it is one customer', async () => {
    const { database, deviceToken, startSmallServer } = lab;
    const small = startSmallServer({ DEVICES_PER_ADDRESS: '2' });
    const userId = await insertUser(database);
    const from = async (remoteAddress: string, nodeId: string) =>
      small.register(nodeId, await deviceToken(userId), remoteAddress);
    expect(await from('2001:db8:1:2::1', 'six-1')).toBe('registered');
    expect(await from('2001:db8:1:2:ffff::2', 'six-2')).toBe('registered');
    expect(await from('2001:db8:1:2::3', 'six-3')).toBe('device_limit');
    expect(await from('2001:db8:1:3::3', 'six-3')).toBe('registered');
    await small.close();
  });

  test('the limit per address holds for users who register at the same time', async () => {
    const { database, deviceToken, startSmallServer } = lab;
    const small = startSmallServer({ DEVICES_PER_ADDRESS: '2' });
    const owners = await Promise.all(
      Array.from({ length: 8 }, async () => deviceToken(await insertUser(database))),
    );
    const codes = await Promise.all(
      owners.map((headers, i) => small.register(`crowd-${i}`, headers, '198.51.100.77')),
    );
    expect(codes.sort()).toEqual([
      ...Array<string>(6).fill('device_limit'),
      'registered',
      'registered',
    ]);
    await small.close();
  });

  test('a device that registers again from another address keeps its place', async () => {
    const { database, deviceToken, startSmallServer } = lab;
    const small = startSmallServer({ DEVICES_PER_ADDRESS: '2' });
    const userId = await insertUser(database);
    const from = async (remoteAddress: string, nodeId: string) =>
      small.register(nodeId, await deviceToken(userId), remoteAddress);
    const codes: string[] = [];
    for (const n of [1, 2, 3]) codes.push(await from('198.51.100.80', `moving-${n}`));
    for (const n of [1, 2]) codes.push(await from('198.51.100.81', `moving-${n}`));
    for (const n of [3, 4]) codes.push(await from('198.51.100.80', `moving-${n}`));
    expect(codes).toEqual([
      'registered',
      'registered',
      'device_limit',
      'registered',
      'registered',
      'device_limit',
      'device_limit',
    ]);
    await small.close();
  });

  test('a device with too many heartbeats is refused, others of its owner are not', async () => {
    const { deviceToken, put } = lab;
    const userId = await insertUser(lab.database);
    const small = lab.startSmallServer({ MESSAGES_PER_SECOND: '1', HEARTBEAT_INTERVAL: '5' });
    const [wild, calm] = [await deviceToken(userId), await deviceToken(userId)];
    await put('wild', wild);
    await put('calm', calm);
    const beat = (nodeId: string, headers: Record<string, string>) =>
      small.app.inject({ method: 'POST', url: `/me/devices/${nodeId}/heartbeat`, headers });
    const answers = await Promise.all(Array.from({ length: 7 }, () => beat('wild', wild)));
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([
      200, 200, 200, 200, 200, 429, 429,
    ]);
    const refused = answers.find((answer) => answer.statusCode === 429);
    expect(refused?.headers['retry-after']).toBe('5');
    expect(refused?.json()).toMatchObject({
      code: 'rate_limited',
      detail: 'A device sends a heartbeat every 5 s, and at most 5 in that time.',
    });
    expect((await beat('calm', calm)).statusCode).toBe(200);
    await small.close();
  });
});
