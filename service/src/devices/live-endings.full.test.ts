/** What closes a live connection besides errors of the client. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { connectTo, startDeviceNode } from '../../test/support/device-node.ts';
import { type LiveLab, openLiveLab } from '../../test/support/live-fixture.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { transaction } from '../db/index.ts';
import { endSession, revokeAllTokens } from '../identity/index.ts';
import { systemClock } from '../lib/clock.ts';

describe.each(RUN_ENGINES)('the end of live connections on the %s database', (engine) => {
  let lab: LiveLab;
  beforeAll(async () => {
    lab = await openLiveLab(engine);
  });
  afterAll(() => lab.close());

  test('a disconnect closes it with 4403 and the reason, on every instance', async () => {
    const { database, newDevice, node, person } = lab;
    const userId = await insertUser(database);
    const { nodeId, headers } = await newDevice(userId);
    const other = await startDeviceNode(database);
    const client = connectTo(other.url, { headers });
    await client.opened;
    const cut = node.app.inject({
      method: 'POST',
      url: `/me/devices/${nodeId}/disconnect`,
      headers: person(userId),
    });
    expect(await client.closed).toEqual({ code: 4403, reason: 'disconnected by you' });
    expect((await cut).json()).toMatchObject({ status: 'disconnected' });
    expect(client.messages.at(-1)).toEqual({
      type: 'disconnect',
      code: 4403,
      reason: 'disconnected by you',
    });
    expect(await connectTo(node.url, { headers }).refused).toMatchObject({
      status: 403,
      body: { code: 'token_not_bound' },
    });
    await other.stop();
  });

  test('the end of the session, and of the token, closes the connection with 4401', async () => {
    const { database, newDevice, node } = lab;
    const userId = await insertUser(database);
    const { headers, sid } = await newDevice(userId);
    const client = connectTo(node.url, { headers });
    await client.opened;
    await transaction(database, (tx) => endSession(tx, systemClock, { sid, reason: 'signed out' }));
    expect(await client.closed).toEqual({ code: 4401, reason: 'signed out' });
    const short = await newDevice(userId, { expiresAt: new Date(Date.now() + 1500) });
    const expiring = connectTo(node.url, { headers: short.headers });
    expect(await expiring.closed).toEqual({ code: 4401, reason: 'the token expired' });
  });

  test('an emergency closes the connection with 4401 and a message', async () => {
    const { database, newDevice, node } = lab;
    const client = connectTo(node.url, {
      headers: (await newDevice(await insertUser(database))).headers,
    });
    await client.opened;
    await transaction(database, (tx) => revokeAllTokens(tx, systemClock, 'emergency'));
    expect(await client.closed).toEqual({ code: 4401, reason: 'the operator ended every sign-in' });
  });
});
