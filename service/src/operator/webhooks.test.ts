import { createHmac } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import { asOperator, asPerson, createTestServer } from '../../test/support/test-server.ts';
import { type Database, deleteDueRows, transaction } from '../db/index.ts';
import {
  assignPositions,
  createWebhookSender,
  type EventType,
  fanOut,
  recordEvent,
  WEBHOOK_RETENTION,
  type WebhookSender,
} from '../events/index.ts';
import { createOutgoing, type HttpServer } from '../http/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { POSTING_SOURCE, registerOperatorWebhooks } from './index.ts';

interface Received {
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** The verification of a receiver, written from the specification. */
function isGenuine(secret: string, { headers, body }: Received): boolean {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key)
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
    .digest('base64');
  return String(headers['webhook-signature']).split(' ').includes(`v1,${expected}`);
}

describe.each(RUN_ENGINES)('webhooks on %s', (engine) => {
  const clock = createManualClock('2026-04-01T00:00:00.250Z');
  let database: Database;
  let app: HttpServer;
  let sender: WebhookSender;
  let receiver: http.Server;
  let url: string;
  let answers: number[] = [];
  const received: Received[] = [];

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    receiver = http.createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () => {
        received.push({ headers: request.headers, body });
        response.writeHead(answers.shift() ?? 200).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const deps = {
      clock,
      masterKey: testMasterKey,
      outgoing: createOutgoing({ allowsLoopback: true, timeout_ms: 60_000 }),
    };
    app = createTestServer();
    registerOperatorWebhooks(app, database, deps);
    const fail = (error: unknown): never => {
      throw error;
    };
    sender = createWebhookSender({ database, ...deps, onError: fail });
  });
  beforeEach(async () => {
    await database.query('delete from webhook');
    received.length = 0;
    answers = [];
  });
  afterAll(async () => {
    await sender.stop();
    receiver.close();
    await app.close();
    await database.close();
  });

  async function call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) {
    const response = await app.inject({
      method,
      url: `/operator/webhooks${path}`,
      headers: asOperator('operator:webhooks'),
      ...(body && { payload: body }),
    });
    return {
      status: response.statusCode,
      body: response.body === '' ? undefined : response.json(),
    };
  }
  async function happen(type: EventType, userId?: number): Promise<void> {
    await transaction(database, (tx) =>
      recordEvent(tx, clock, {
        type,
        ...(userId !== undefined && { userId }),
        data: { amount: exactAmount(1n, 18) },
      }),
    );
  }
  async function pass(): Promise<void> {
    await assignPositions(database, clock);
    await fanOut(database, clock, POSTING_SOURCE);
    await sender.sendDue();
  }

  test('delivers the requested types, signed', async () => {
    await happen('deposit.confirming');
    await assignPositions(database, clock);
    const { body: hook } = await call('POST', '', {
      url,
      event_types: ['deposit.*', 'device.deleted'],
    });
    expect(hook).toMatchObject({
      url,
      active: true,
      pending: 0,
      dead: 0,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    for (const type of [
      'deposit.credited',
      'rewards.settled',
      'device.deleted',
      'device.registered',
    ] as const)
      await happen(type, 7);
    await pass();
    await pass();
    const bodies = received.map(({ body }) => body).sort();
    const timestamp = '2026-04-01T00:00:00.250Z';
    expect(bodies).toEqual(
      ['deposit.credited', 'device.deleted'].map(
        (type) =>
          `{"type":"${type}","timestamp":"${timestamp}","user_id":7,"data":{"amount":0.000000000000000001}}`,
      ),
    );
    for (const message of received) {
      expect(isGenuine(hook.secret, message)).toBe(true);
      expect(isGenuine(hook.secret, { ...message, body: `${message.body} ` })).toBe(false);
    }
    const shown = await call('GET', '');
    expect(shown.body).toMatchObject([{ id: hook.id }]);
    expect(JSON.stringify(shown.body)).not.toContain('whsec_');
    const { rows } = await database.query<{ secret: Buffer }>('select secret from webhook');
    expect(rows[0]?.secret.includes(Buffer.from(hook.secret.slice(6), 'base64'))).toBe(false);
  });

  test('retries with growing waits, gives up, and delivers again on request', async () => {
    const { body: hook } = await call('POST', '', { url });
    await happen('deposit.credited');
    answers = Array.from({ length: 10 }, () => 500);
    const waits: number[] = [];
    let waited_s = 0;
    for (let before = 0; received.length < 10; before = received.length) {
      await pass();
      if (received.length > before) {
        waits.push(waited_s);
        waited_s = 0;
      }
      const step_s = waited_s < 10 ? 1 : waited_s / 10;
      clock.advance(step_s * 1000);
      waited_s += step_s;
    }
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    // Each is a fifth longer or shorter, and is measured up to a tenth too long.
    for (const [i, wait] of waits.slice(2).entries())
      expect(wait).toBeGreaterThan(((waits[i + 1] ?? 0) * 0.8) / 1.2 / 1.1);
    expect(waits.at(-1)).toBeGreaterThan(0.75 * 86_400);
    clock.advance(30 * 86_400_000);
    await pass();
    expect(received).toHaveLength(10);
    const { body: list } = await call('GET', `/${hook.id}/deliveries?state=dead&current=1&size=20`);
    expect(list).toMatchObject({
      total: 1,
      records: [
        {
          type: 'deposit.credited',
          state: 'dead',
          attempts: 10,
          last_status: 500,
          last_error: 'answered 500',
          last_error_code: 'answered',
          last_error_values: { status: '500' },
        },
      ],
    });
    expect((await call('GET', `/${hook.id}`)).body).toMatchObject({ dead: 1, pending: 0 });
    const { body: letter } = await call('GET', `/${hook.id}/deliveries/${list.records[0].id}`);
    expect(letter).toEqual({ ...list.records[0], body: received[0]?.body });

    expect(
      (await call('POST', `/${hook.id}/redeliver`, { since: '2026-01-01T00:00:00Z' })).body,
    ).toEqual({ queued: 1 });
    await pass();
    expect(received).toHaveLength(11);
    expect(
      (await call('GET', `/${hook.id}/deliveries?current=1&size=20`)).body.records,
    ).toMatchObject([{ state: 'delivered', attempts: 11, last_status: 200 }]);
    const deliveryId = list.records[0].id;
    expect((await call('POST', `/${hook.id}/deliveries/${deliveryId}/redeliver`)).status).toBe(202);
    await pass();
    expect(received.at(-1)?.headers['webhook-id']).toBe(received[0]?.headers['webhook-id']);
  });

  test('after its sender died a delivery is sent again under the same id', async () => {
    await call('POST', '', { url });
    await happen('deposit.credited');
    await assignPositions(database, clock);
    await fanOut(database, clock, POSTING_SOURCE);
    await database.query('update webhook_delivery set attempts = 1, next_attempt_at = $1', [
      new Date(clock.now().getTime() + 60_000),
    ]);
    await pass();
    expect(received).toHaveLength(0);
    clock.advance(60_000);
    await pass();
    expect(received).toHaveLength(1);
  });

  test('instances that race create and send each message once', async () => {
    await call('POST', '', { url });
    for (let n = 0; n < 30; n++) await happen('deposit.credited');
    await assignPositions(database, clock);
    const deps = {
      database,
      clock,
      masterKey: testMasterKey,
      outgoing: createOutgoing({ allowsLoopback: true, timeout_ms: 60_000 }),
      onError: console.error,
    };
    const senders = [1, 2, 3].map(() => createWebhookSender(deps));
    await Promise.all(senders.map(() => fanOut(database, clock, POSTING_SOURCE)));
    await fanOut(database, clock, POSTING_SOURCE);
    await Promise.all(senders.map((one) => one.sendDue()));
    expect(received).toHaveLength(30);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(30);
  });

  test('rotation: both secrets sign for a day', async () => {
    const { body: hook } = await call('POST', '', { url });
    const { body: rotated } = await call('POST', `/${hook.id}/rotate-secret`);
    await call('POST', `/${hook.id}/test`);
    await pass();
    clock.advance(86_400_001);
    await call('POST', `/${hook.id}/test`);
    await pass();
    const genuine = received.map((message) =>
      [hook.secret, rotated.secret].map((secret) => isGenuine(secret, message)),
    );
    expect(genuine).toEqual([
      [true, true],
      [false, true],
    ]);
  });

  test('410 disables it; enabled again it gets what it missed', async () => {
    const { body: hook } = await call('POST', '', { url });
    answers = [410];
    await happen('deposit.confirming');
    await pass();
    expect((await call('GET', `/${hook.id}`)).body).toMatchObject({
      active: false,
      disabled_reason: 'answered 410 Gone',
      disabled_reason_code: 'answered',
      disabled_reason_values: { status: '410 Gone' },
      dead: 1,
    });
    await happen('deposit.credited');
    await pass();
    expect(received).toHaveLength(1);
    expect((await call('PATCH', `/${hook.id}`, { active: true })).body).toMatchObject({
      active: true,
    });
    await pass();
    expect(received.map(({ body }) => JSON.parse(body).type)).toEqual([
      'deposit.confirming',
      'deposit.credited',
    ]);
  });

  test('refuses addresses it must not reach, unknown ids, other callers', async () => {
    for (const bad of [
      'http://example.com/',
      'https://10.0.0.1/',
      'https://169.254.169.254/',
      'nonsense',
      'https://a:b@example.com/',
    ]) {
      expect((await call('POST', '', { url: bad })).body).toMatchObject({
        code: 'invalid_parameter',
        errors: [{ field: 'url' }],
      });
    }
    expect((await call('POST', '', { url: `${url}#part` })).body).toMatchObject({
      errors: [{ field: 'url', code: 'malformed_url' }],
    });
    expect((await call('POST', '', { url, event_types: ['*'] })).status).toBe(400);
    for (const unknown of ['reward.payed', 'nope.*', 'deposit', 'rewards.settled.*']) {
      expect(
        (await call('POST', '', { url, event_types: ['deposit.*', unknown] })).body.errors,
      ).toMatchObject([{ field: expect.stringMatching(/^event_types/) }]);
    }
    expect((await call('POST', '', { url, other: 1 })).status).toBe(400);
    for (const path of ['/999', '/abc', '/0', '/999/deliveries?current=1&size=20'])
      expect((await call('GET', path)).status).toBe(404);
    const [{ body: one }, { body: other }] = [
      await call('POST', '', { url }),
      await call('POST', '', { url }),
    ];
    const { body: queued } = await call('POST', `/${one.id}/test`);
    const pathOf = (id: number) => `/${id}/deliveries/${queued.delivery_id}`;
    expect((await call('GET', pathOf(one.id))).body).toMatchObject({ state: 'pending' });
    expect((await call('GET', pathOf(other.id))).status).toBe(404);
    expect((await call('DELETE', '/999')).status).toBe(404);
    expect(
      (await app.inject({ url: '/operator/webhooks', headers: asPerson(1, 'account:read') }))
        .statusCode,
    ).toBe(403);
    const { body: hook } = await call('POST', '', { url });
    expect(
      (await call('PATCH', `/${hook.id}`, { event_types: ['reward.payed'] })).body,
    ).toMatchObject({
      errors: [
        {
          field: 'event_types.0',
          code: 'unknown',
          message: expect.stringContaining('reward.posted'),
        },
      ],
    });
    expect((await call('DELETE', `/${hook.id}`)).status).toBe(204);
    expect((await call('GET', `/${hook.id}`)).status).toBe(404);
  });

  test('old messages are deleted, dead letters later', async () => {
    const { body: hook } = await call('POST', '', { url });
    await call('POST', `/${hook.id}/test`);
    await call('POST', `/${hook.id}/test`);
    await database.query("update webhook_delivery set state = 'delivered'");
    await database.query(
      `update webhook_delivery set state = 'dead' where id = (select min(id)
        from webhook_delivery)`,
    );
    clock.advance(8 * 86_400_000);
    await deleteDueRows(database, clock, WEBHOOK_RETENTION);
    expect((await call('GET', `/${hook.id}/deliveries?current=1&size=20`)).body).toMatchObject({
      total: 1,
      records: [{ state: 'dead' }],
    });
    clock.advance(30 * 86_400_000);
    await deleteDueRows(database, clock, WEBHOOK_RETENTION);
    expect((await call('GET', `/${hook.id}/deliveries?current=1&size=20`)).body).toMatchObject({
      total: 0,
    });
  });
});
