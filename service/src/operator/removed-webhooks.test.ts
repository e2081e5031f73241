/** A deleted webhook is out of use at once; its messages are deleted later, in batches. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import { asOperator, createTestServer } from '../../test/support/test-server.ts';
import { type Database, runAsService, transaction } from '../db/index.ts';
import {
  assignPositions,
  countDeliveries,
  createWebhookRemoval,
  createWebhookSender,
  fanOut,
  recordEvent,
  removeWebhooks,
  type WebhookSender,
} from '../events/index.ts';
import { createOutgoing, type HttpServer } from '../http/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { POSTING_SOURCE, registerOperatorWebhooks } from './index.ts';

const MESSAGES = 25;

describe.each(RUN_ENGINES)('deleted webhooks on %s', (engine) => {
  const clock = createManualClock('2026-04-01T00:00:00Z');
  let database: Database;
  let app: HttpServer;
  let sender: WebhookSender;
  let receiver: http.Server;
  let url: string;
  let received = 0;
  let onMessage: () => Promise<unknown> = async () => {};

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    receiver = http.createServer(async (_request, response) => {
      received++;
      await onMessage();
      response.writeHead(200).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const outgoing = createOutgoing({ allowsLoopback: true, timeout_ms: 60_000 });
    const deps = { clock, masterKey: testMasterKey, outgoing };
    app = createTestServer();
    registerOperatorWebhooks(app, database, deps);
    sender = createWebhookSender({
      ...{ database, ...deps },
      onError(error) {
        throw error;
      },
    });
  });
  beforeEach(async () => {
    await database.query('delete from webhook');
    received = 0;
    onMessage = async () => {};
  });
  afterAll(async () => {
    await sender.stop();
    receiver.close();
    await app.close();
    await database.close();
  });

  async function call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) {
    const { statusCode: status, body: text } = await app.inject({
      ...{ method, url: `/operator/webhooks${path}` },
      headers: asOperator('operator:webhooks'),
      ...(body && { payload: body }),
    });
    return { status, body: text === '' ? undefined : JSON.parse(text) };
  }

  async function happen(times: number): Promise<void> {
    await transaction(database, async (tx) => {
      for (let n = 0; n < times; n++)
        await recordEvent(tx, clock, { type: 'deposit.credited', data: { n } });
    });
    await assignPositions(database, clock);
    await fanOut(database, clock, POSTING_SOURCE);
  }

  async function makeHook(): Promise<number> {
    return (await call('POST', '', { url })).body.id;
  }

  async function left(): Promise<{ webhook: number; messages: number }[]> {
    const { rows } = await database.query<{ webhook: number; messages: number }>(
      `select w.id as webhook, (
          select count(*)::int from webhook_delivery d where d.webhook_id = w.id) as messages
        from webhook w order by id`,
    );
    return rows;
  }

  test('no route shows one, nothing is sent to it, and it fills no place', async () => {
    const [hook, other] = [await makeHook(), await makeHook()];
    await happen(3);
    const { body: list } = await call('GET', `/${hook}/deliveries?current=1&size=20`);
    const message = list.records[0].id;
    await database.query("update webhook_delivery set state = 'dead' where id = $1", [message]);
    expect((await call('DELETE', `/${hook}`)).status).toBe(204);
    expect((await call('GET', '')).body).toMatchObject([{ id: other, pending: 3, dead: 0 }]);
    const requests: [Parameters<typeof call>[0], string, object?][] = [
      ['GET', ''],
      ['PATCH', '', { active: true }],
      ['DELETE', ''],
      ['POST', '/rotate-secret'],
      ['POST', '/test'],
      ['GET', '/deliveries?current=1&size=20'],
      ['GET', `/deliveries/${message}`],
      ['POST', `/deliveries/${message}/redeliver`],
      ['POST', '/redeliver', { since: '2026-01-01T00:00:00Z' }],
    ];
    for (const [method, path, body] of requests) {
      const { status } = await call(method, `/${hook}${path}`, body);
      expect({ method, path, status }).toEqual({ method, path, status: 404 });
    }
    await happen(1);
    expect(await countDeliveries(database)).toEqual({ pending: 4, dead: 0 });
    expect(await left()).toEqual([
      { webhook: hook, messages: 3 },
      { webhook: other, messages: 4 },
    ]);
    await sender.sendDue();
    expect(received).toBe(4);
    await database.query(
      `insert into webhook (url, description, event_types, secret, position, created_by,
         created_at)
       select '', '', '{}', '', 0, '', $1 from generate_series(1, 48)`,
      [clock.now()],
    );
    expect((await call('POST', '', { url })).status).toBe(200);
    expect((await call('POST', '', { url })).body).toMatchObject({ code: 'webhook_limit' });
  });

  test('messages that wait behind those under way are not sent any more', async () => {
    const hook = await makeHook();
    await happen(MESSAGES);
    onMessage = () => call('DELETE', `/${hook}`);
    await sender.sendDue();
    expect(received).toBeGreaterThan(0);
    expect(received).toBeLessThan(MESSAGES);
  });

  test('the job deletes its messages in batches, then the row, and continues', async () => {
    const [hook, other] = [await makeHook(), await makeHook()];
    await happen(MESSAGES);
    const job = createWebhookRemoval(database);
    expect(await job.hasWork?.()).toBe(false);
    await call('DELETE', `/${hook}`);
    expect(await job.hasWork?.()).toBe(true);
    const ending = new AbortController();
    const interrupted: Database = {
      ...database,
      async prepared(name, ...statement) {
        const result = await database.prepared(name, ...statement);
        if (name === 'webhook-deliveries-delete') ending.abort();
        return result as never;
      },
    };
    await removeWebhooks({ database: interrupted, batchSize: 10, signal: ending.signal });
    expect(await left()).toEqual([
      { webhook: hook, messages: MESSAGES - 10 },
      { webhook: other, messages: MESSAGES },
    ]);
    await runAsService('job test', () => removeWebhooks({ database, batchSize: 10 }));
    expect(await left()).toEqual([{ webhook: other, messages: MESSAGES }]);
    const { rows } = await database.query<object>(
      `select actor_kind as kind, actor_id as id from audit_entry
       where (subject_kind, subject_id, operation) = ('webhooks', $1, 'delete')`,
      [String(hook)],
    );
    expect(rows).toEqual([{ kind: 'service', id: 'job test' }]);
    expect(await job.hasWork?.()).toBe(false);
  });

  test('a webhook in use is never deleted by the job', async () => {
    const hook = await makeHook();
    await call('PATCH', `/${hook}`, { active: false });
    await createWebhookRemoval(database).run(new AbortController().signal);
    expect(await left()).toEqual([{ webhook: hook, messages: 0 }]);
  });
});
