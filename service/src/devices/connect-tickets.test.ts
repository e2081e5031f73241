import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { connectTo, GOOD_ORIGIN } from '../../test/support/device-node.ts';
import { type LiveLab, openLiveLab } from '../../test/support/live-fixture.ts';
import { insertUser } from '../../test/support/test-users.ts';

describe.each(RUN_ENGINES)('tickets for live connections on the %s database', (engine) => {
  let lab: LiveLab;
  beforeAll(async () => {
    lab = await openLiveLab(engine);
  });
  afterAll(() => lab.close());

  const ticketFor = async (headers: { authorization: string }) =>
    (
      await lab.node.app.inject({ method: 'POST', url: '/me/devices/connect-ticket', headers })
    ).json() as { ticket: string; subprotocols: string[] };

  test('a ticket opens one connection from an allowed origin, once', async () => {
    const { database, newDevice, node } = lab;
    const { headers } = await newDevice(await insertUser(database));
    const { subprotocols } = await ticketFor(headers);
    const evil = connectTo(node.url, { origin: 'https://evil.example' }, subprotocols);
    expect(await evil.refused).toMatchObject({ status: 403, body: { code: 'origin_refused' } });
    const clients = [1, 2, 3].map(() => connectTo(node.url, { origin: GOOD_ORIGIN }, subprotocols));
    const outcomes = await Promise.all(
      clients.map((client) =>
        Promise.race([
          client.opened.then(() => 'open'),
          client.refused.then(({ body }) => body.code),
        ]),
      ),
    );
    expect(outcomes.sort()).toEqual(['invalid_connect_ticket', 'invalid_connect_ticket', 'open']);
    const open = clients.find((client) => client.socket.readyState === WebSocket.OPEN);
    expect(open?.socket.protocol).toBe('edge-account');
    open?.socket.terminate();
    const { ticket } = await ticketFor(headers);
    await database.query("update connect_ticket set expires_at = expires_at - interval '30 s'");
    expect(await connectTo(node.url, {}, ['edge-account', ticket]).refused).toMatchObject({
      status: 401,
      body: { code: 'invalid_connect_ticket' },
    });
  });

  test('a ticket whose token was revoked opens no connection', async () => {
    const { database, newDevice, node, person } = lab;
    const userId = await insertUser(database);
    const { headers, nodeId } = await newDevice(userId);
    const { subprotocols } = await ticketFor(headers);
    await node.app.inject({
      method: 'POST',
      url: `/me/devices/${nodeId}/delete`,
      headers: person(userId),
    });
    expect(await connectTo(node.url, {}, subprotocols).refused).toMatchObject({
      status: 401,
      body: { code: 'token_revoked' },
    });
  });
});
