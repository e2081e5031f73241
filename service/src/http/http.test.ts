import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { asOperator, asPerson, bearer, createTestServer } from '../../test/support/test-server.ts';
import type { Database } from '../db/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { failure } from '../lib/failures.ts';
import {
  callingUserId,
  consumeRateLimit,
  Day,
  Decimal,
  DecimalInput,
  type HttpServer,
  Page,
  PageParameters,
  sendIdempotent,
  toPage,
} from './index.ts';

describe.each(ENGINES)('http on %s', (engine) => {
  let database: Database;
  let app: HttpServer;
  let effects = 0;

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    app = createTestServer();
    const Query = Type.Object({ ...PageParameters, day: Type.Optional(Day('A day.')) });
    app.get(
      '/probe',
      {
        config: { access: { scopes: ['account:read'] } },
        schema: { querystring: Query, response: { 200: Page(Type.Object({ n: Type.Integer() })) } },
      },
      async (request) => toPage([{ n: callingUserId(request) }], 41, request.query),
    );
    const Body = Type.Object({
      amount: DecimalInput('An amount.'),
      note: Type.Optional(Type.String()),
    });
    app.post(
      '/probe',
      {
        config: { access: { scopes: ['operator:rewards'] } },
        schema: { body: Body, response: { 200: Type.Object({ amount: Decimal('The amount.') }) } },
      },
      async (request, reply) =>
        sendIdempotent(database, request, reply, async (tx) => {
          effects++;
          await tx.query(
            `insert into mail (recipient, subject, body, created_at, next_attempt_at)
         values ($1, $1, $1, $2, $2)`,
            ['probe', new Date(0)],
          );
          if (request.body.note === 'refuse') throw failure('not_found');
          if (request.body.note === 'note and refuse') return failure('not_found');
          if (request.body.note === 'fail') throw new Error('a fault');
          return { status: 200, body: { amount: exactAmount(BigInt(request.body.amount), 0) } };
        }),
    );
    app.get(
      '/probe/nodes/:node_id',
      { config: { access: { scopes: ['devices:read'], isNodeRoute: true } } },
      async () => ({}),
    );
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  test.each([
    ['?size=20', 'current'],
    ['?current=1', 'size'],
    ['?current=0&size=20', 'current'],
    ['?current=2147483648&size=20', 'current'],
    ['?current=1&size=21', 'size'],
    ['?current=1&size=0', 'size'],
    ['?current=1&size=1e1', 'size'],
    ['?current=1&size=', 'size'],
    ['?current=1&size=5&size=6', 'size'],
    ['?current=1.0&size=5', 'current'],
    ['?current=1&size=5&day=2026-02-30', 'day'],
    ['?current=1&size=5&day=2026-2-3', 'day'],
  ])('a bad query is 400 and names the field: %s', async (query, field) => {
    const response = await app.inject({
      url: `/probe${query}`,
      headers: asPerson(5, 'account:read'),
    });
    expect(response.statusCode).toBe(400);
    expect(response.headers['content-type']).toContain('application/problem+json');
    expect(response.json()).toMatchObject({
      code: 'invalid_parameter',
      status: 400,
      errors: [{ field }],
    });
    expect(response.json().request_id).toBe(response.headers['x-request-id']);
  });

  test('a page contains the total', async () => {
    const response = await app.inject({
      url: '/probe?current=3&size=20',
      headers: asPerson(5, 'account:read'),
    });
    expect(response.json()).toEqual({
      records: [{ n: 5 }],
      total: 41,
      size: 20,
      current: 3,
      pages: 3,
    });
  });

  test('access by scope and kind of token', async () => {
    const url = '/probe?current=1&size=5';
    expect((await app.inject(url)).json()).toMatchObject({ status: 401, code: 'missing_token' });
    expect(
      (await app.inject({ url, headers: { authorization: 'Basic eDp5' } })).json(),
    ).toMatchObject({ status: 401, code: 'invalid_token' });
    expect(
      (await app.inject({ url, headers: { authorization: 'Bearer not a token' } })).json(),
    ).toMatchObject({ status: 401, code: 'invalid_token' });
    expect((await app.inject({ url, headers: asPerson(5, 'profile') })).json()).toMatchObject({
      status: 403,
      code: 'insufficient_scope',
    });
    expect((await app.inject({ url, headers: asOperator('account:read') })).json()).toMatchObject({
      status: 403,
      code: 'wrong_token_kind',
    });
    expect((await app.inject(`${url}&access_token=x`)).statusCode).toBe(401);
  });

  test('a token bound to a device reaches that device only', async () => {
    const claims = {
      userId: 5,
      tokenUse: 'device' as const,
      nodeId: 'mine',
      scopes: ['devices:read', 'account:read'],
    };
    expect(
      (await app.inject({ url: '/probe/nodes/mine', headers: bearer(claims) })).statusCode,
    ).toBe(200);
    expect(
      (await app.inject({ url: '/probe/nodes/other', headers: bearer(claims) })).statusCode,
    ).toBe(403);
    expect(
      (await app.inject({ url: '/probe?current=1&size=5', headers: bearer(claims) })).statusCode,
    ).toBe(403);
  });

  test.each([
    ['{"amount":', 'application/json', 400, 'malformed_body'],
    ['', 'application/json', 400, 'invalid_parameter'],
    ['[]', 'application/json', 400, 'invalid_parameter'],
    ['{"amount":{}}', 'application/json', 400, 'invalid_parameter'],
    ['{"amount":1e3}', 'application/json', 400, 'invalid_parameter'],
    ['{"amount":"1","note":"\\u0000"}', 'application/json', 400, 'invalid_parameter'],
    ['{"amount":"1","note":"\\ud800"}', 'application/json', 400, 'invalid_parameter'],
    ['{"amount":"1","__proto__":{}}', 'application/json', 400, 'malformed_body'],
    ['{"amount":"1","amount":"1"}', 'application/json', 400, 'malformed_body'],
    ['{"amount":"1","other":[{"a":1,"\\u0061":2}]}', 'application/json', 400, 'malformed_body'],
    ['amount=1', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
    ['amount=1', 'text/plain', 415, 'unsupported_media_type'],
    [`{"amount":"1","note":"${'x'.repeat(70_000)}"}`, 'application/json', 413, 'body_too_large'],
    ['['.repeat(40_000), 'application/json', 400, 'malformed_body'],
  ])(
    'a bad body is refused, nothing is written: %.30s as %s',
    async (payload, type, status, code) => {
      const before = effects;
      const headers = {
        ...asOperator('operator:rewards'),
        'content-type': type,
        'idempotency-key': `bad-${type}`,
      };
      const response = await app.inject({ method: 'POST', url: '/probe', headers, payload });
      expect(response.json()).toMatchObject({ status, code });
      expect(effects).toBe(before);
    },
  );

  function post(key: string, body: object, headers: Record<string, string> = {}) {
    return app.inject({
      method: 'POST',
      url: '/probe',
      headers: { ...asOperator('operator:rewards'), 'idempotency-key': key, ...headers },
      payload: body,
    });
  }

  test('same key and body: same answer, as numbers or strings, and one effect', async () => {
    const before = effects;
    const amount = `1${'0'.repeat(30)}`;
    const first = await post('once', { amount, note: 'a' });
    expect(first.body).toBe(`{"amount":${amount}}`);
    const again = await post('once', { note: 'a', amount }, { prefer: 'amounts=string' });
    expect(again.body).toBe(`{"amount":"${amount}"}`);
    expect(again.headers).toMatchObject({
      'preference-applied': 'amounts=string',
      'content-type': 'application/json; charset=utf-8',
    });
    expect(effects).toBe(before + 1);
    expect((await post('once', { amount: '2' })).json()).toMatchObject({
      status: 409,
      code: 'idempotency_key_reused',
    });
  });

  test('a refusal stays refused and leaves no effect; a fault can be retried', async () => {
    const rows = async () => (await database.query('select 1 from mail')).rowCount;
    const before = await rows();
    const first = await post('refused', { amount: '1', note: 'refuse' });
    expect(first.json()).toMatchObject({ status: 404, code: 'not_found' });
    const replayed = await post('refused', { amount: '1', note: 'refuse' });
    expect(replayed.json()).toEqual(first.json());
    const fault = await post('fault', { amount: '1', note: 'fail' });
    expect(fault.json()).toMatchObject({ status: 500, code: 'internal_error' });
    expect(fault.body).not.toContain('a fault');
    expect(await rows()).toBe(before);
    expect((await database.query("select 1 from idempotency where key = 'fault'")).rowCount).toBe(
      0,
    );
  });

  test('a refusal that is returned stays refused, and keeps what the handler wrote', async () => {
    const rows = async () => (await database.query('select 1 from mail')).rowCount;
    const before = await rows();
    const first = await post('noted', { amount: '1', note: 'note and refuse' });
    expect(first.json()).toMatchObject({ status: 404, code: 'not_found' });
    expect((await post('noted', { amount: '1', note: 'note and refuse' })).json()).toEqual(
      first.json(),
    );
    expect(await rows()).toBe(before + 1);
  });

  test('a key is required, and is scoped to its caller', async () => {
    const other = {
      ...bearer({ clientId: 'other', tokenUse: 'operator', scopes: ['operator:rewards'] }),
    };
    expect(
      (
        await app.inject({
          method: 'POST',
          url: '/probe',
          headers: other,
          payload: { amount: '1' },
        })
      ).json(),
    ).toMatchObject({
      code: 'idempotency_key_required',
    });
    expect((await post('bad key', { amount: '1' })).json()).toMatchObject({
      code: 'invalid_parameter',
    });
    await post('shared', { amount: '1' });
    expect((await post('shared', { amount: '2' }, other)).json()).toEqual({ amount: 2 });
  });

  test('sixteen requests with one key: one effect, one answer or "still running"', async () => {
    const before = effects;
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => post('race', { amount: '7' })),
    );
    expect(effects).toBe(before + 1);
    for (const answer of answers) {
      if (answer.statusCode === 409) expect(answer.headers['retry-after']).toBe('1');
      else expect(answer.json()).toEqual({ amount: 7 });
    }
  });

  test('limits count per name and subject, across callers, and end with their window', async () => {
    const clock = createManualClock('2026-01-01T00:00:00Z');
    const limit = { name: 'probe', hits: 2, window_s: 60 };
    await consumeRateLimit(database, clock, limit, 'a');
    await consumeRateLimit(database, clock, limit, 'a');
    await expect(consumeRateLimit(database, clock, limit, 'a')).rejects.toMatchObject({
      code: 'rate_limited',
      details: { retryAfter_s: 60 },
    });
    await consumeRateLimit(database, clock, limit, 'b');
    await consumeRateLimit(database, clock, { ...limit, name: 'other' }, 'a');
    clock.advance(60_000);
    await consumeRateLimit(database, clock, limit, 'a');
  });
});

test('a route without access rules does not start', () => {
  expect(() => createTestServer().get('/undeclared', async () => ({}))).toThrow(
    /does not declare its access/,
  );
});
