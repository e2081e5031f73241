/**
 * Bad input at every route that the document lists: whatever comes, the answer is a clear problem with a stable code,
 * never a 500. New routes are covered the moment they exist.
 */
import { generateKeyPairSync } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type App, createApp } from '../src/app.ts';
import type { Database } from '../src/db/index.ts';
import { BUSINESS_SCOPES, OPERATOR_SCOPES } from '../src/oidc/index.ts';
import { openTestDatabase, RUN_ENGINES } from './support/databases.ts';
import { testConfig, testMasterKey } from './support/test-config.ts';
import { insertUser } from './support/test-users.ts';
import { createTestTokens } from './support/tokens.ts';

interface Operation {
  readonly security: Record<string, string[]>[];
  readonly parameters?: { name: string; in: string; schema: { type?: string } }[];
}

interface Route {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly operation: Operation;
}

/** Streams and sockets stay open; `/oauth2/*` speaks RFC 6749 and has tests of its own. */
const ELSEWHERE = ['GET /me/events', 'GET /me/devices/connect'];

const NASTY_VALUES = [
  '',
  ' ',
  '0',
  '-1',
  '1e3',
  'NaN',
  '%00',
  '%ED%A0%80',
  "'; drop table app_user; --",
  '%',
  '_',
  '\\',
  '../../etc/passwd',
  '9'.repeat(40),
  'x'.repeat(3000),
  '2026-02-30',
  '__proto__',
  '{{7*7}}',
  '<script>',
];
const NASTY_BODIES: [type: string, text: string][] = [
  ['application/json', '{"a":'],
  ['application/json', 'null'],
  ['application/json', '[]'],
  ['application/json', '"text"'],
  ['application/json', '{}'],
  ['application/json', '{"__proto__":{"admin":true}}'],
  ['application/json', `${'['.repeat(20_000)}`],
  ['application/json', `{"a":"${'x'.repeat(1_100_000)}"}`],
  ['text/plain', 'hello'],
  ['application/xml', '<a/>'],
  ['multipart/form-data; boundary=x', '--x--'],
];
const NASTY_MEMBERS: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  '',
  'x',
  '\u202e',
  'x'.repeat(5000),
  [],
  {},
  [null],
  { a: 1 },
];

describe.each(RUN_ENGINES)('every route on %s', (engine) => {
  let database: Database;
  let app: App;
  let routes: Route[];
  let person: string;
  let operator: string;
  let userId: number;

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    app = await createApp({ config: testConfig(), database, masterKey: testMasterKey });
    await app.start();
    userId = await insertUser(database);
    const tokens = createTestTokens(database);
    person = (await tokens.login(userId)).accessToken;
    operator = await tokens.operator(...OPERATOR_SCOPES);
    const document = (await app.http.inject('/openapi.json')).json() as {
      paths: Record<string, Record<string, Operation>>;
    };
    routes = Object.entries(document.paths)
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(
          ([method, operation]): Route => ({
            name: `${method.toUpperCase()} ${path}`,
            method: method.toUpperCase() as Route['method'],
            url: path.replaceAll(/\{[^}]+\}/g, '1'),
            operation,
          }),
        ),
      )
      .filter(({ name }) => !ELSEWHERE.includes(name));
  });
  afterAll(async () => {
    await app.stop();
    await database.close();
  });

  const isGuarded = ({ operation }: Route): boolean =>
    (operation.security[0]?.token?.length ?? -1) >= 0;
  const tokenFor = ({ operation }: Route): string =>
    operation.security[0]?.token?.some((scope) => scope.startsWith('operator:'))
      ? operator
      : person;
  const isOAuth = ({ url }: Route): boolean => url.startsWith('/oauth2/');

  /** Sends, and collects what is no clear refusal. */
  async function probe(
    route: Route,
    request: { url?: string; headers?: Record<string, string>; payload?: string },
    faults: string[],
  ): Promise<void> {
    const headers = {
      authorization: `Bearer ${tokenFor(route)}`,
      'idempotency-key': 'probe',
      ...request.headers,
    };
    const response = await app.http.inject({
      method: route.method,
      url: request.url ?? route.url,
      headers,
      ...(request.payload !== undefined && { payload: request.payload }),
    });
    const isClear =
      response.statusCode < 400 ||
      isOAuth(route) ||
      (response.headers['content-type']?.includes('application/problem+json') &&
        typeof response.json().code === 'string');
    if (response.statusCode >= 500 || !isClear)
      faults.push(
        `${route.name} ${(request.url ?? '').slice(0, 100)} ${(request.payload ?? '').slice(0, 80)} -> ${response.statusCode} ${response.body.slice(0, 200)}`,
      );
  }

  test('guarded routes refuse no token, and forged ones', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const claims = {
      token_use: 'business',
      scope: BUSINESS_SCOPES.join(' '),
      client_id: 'edge-console',
      sid: 'x',
      email: 'a@b.test',
    };
    const [head = '', payload = '', signature = ''] = person.split('.');
    const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { kid: string };
    const sign = (header: Record<string, unknown>, audience = testConfig().BASE_URL) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid, ...header })
        .setIssuer(testConfig().BASE_URL)
        .setAudience(audience)
        .setSubject(String(userId))
        .setJti('x')
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(privateKey);
    const forged = [
      await sign({}),
      await sign({ kid: 'unknown' }),
      new UnsecuredJWT(claims)
        .setIssuer(testConfig().BASE_URL)
        .setAudience(testConfig().BASE_URL)
        .setSubject(String(userId))
        .setExpirationTime('1h')
        .encode(),
      `${head}.${Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), sub: '424242' })).toString('base64url')}.${signature}`,
      `${head}.${payload}.`,
      'x.y.z',
    ];
    const faults: string[] = [];
    for (const route of routes.filter(isGuarded)) {
      const none = await app.http.inject({ method: route.method, url: route.url });
      if (none.statusCode !== 401)
        faults.push(`${route.name} without a token -> ${none.statusCode}`);
      for (const [i, token] of forged.entries()) {
        const response = await app.http.inject({
          method: route.method,
          url: route.url,
          headers: { authorization: `Bearer ${token}` },
        });
        if (response.statusCode !== 401 || response.json().code !== 'invalid_token')
          faults.push(`${route.name} with forged token ${i} -> ${response.statusCode}`);
      }
    }
    expect(routes.filter(isGuarded).length).toBeGreaterThan(30);
    expect(faults).toEqual([]);
  });

  test('nasty query values', async () => {
    const faults: string[] = [];
    for (const route of routes) {
      const names = (route.operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'query')
        .map(({ name }) => name);
      for (const name of names) {
        for (const value of NASTY_VALUES) {
          const others = names
            .filter((other) => other === 'current' || other === 'size')
            .filter((other) => other !== name)
            .map((other) => `&${other}=1`)
            .join('');
          await probe(
            route,
            {
              url: `${route.url}?${name}=${value.startsWith('%') ? value : encodeURIComponent(value)}${others}`,
            },
            faults,
          );
        }
      }
    }
    expect(faults).toEqual([]);
  });

  test('nasty path parameters', async () => {
    const faults: string[] = [];
    const withParameters = routes.filter(({ name }) => name.includes('{'));
    for (const route of withParameters) {
      for (const value of NASTY_VALUES.slice(1)) {
        const url = route.name
          .slice(route.name.indexOf(' ') + 1)
          .replaceAll(/\{[^}]+\}/g, value.startsWith('%') ? value : encodeURIComponent(value));
        await probe(route, { url }, faults);
      }
    }
    expect(withParameters.length).toBeGreaterThan(3);
    expect(faults).toEqual([]);
  });

  test('nasty bodies', async () => {
    const faults: string[] = [];
    for (const route of routes.filter(({ method }) => method !== 'GET')) {
      for (const [type, payload] of NASTY_BODIES)
        await probe(
          route,
          {
            headers: { 'content-type': type, 'idempotency-key': `${type}-${payload.length}` },
            payload,
          },
          faults,
        );
    }
    expect(faults).toEqual([]);
  });

  test('nasty members, one at a time, of every documented body', async () => {
    const document = (await app.http.inject('/openapi.json')).json() as {
      paths: Record<
        string,
        Record<
          string,
          {
            requestBody?: {
              content: Record<string, { schema: { properties?: Record<string, unknown> } }>;
            };
          }
        >
      >;
    };
    const faults: string[] = [];
    let probes = 0;
    for (const route of routes) {
      const path = route.name.slice(route.name.indexOf(' ') + 1);
      const members = Object.keys(
        document.paths[path]?.[route.method.toLowerCase()]?.requestBody?.content['application/json']
          ?.schema.properties ?? {},
      );
      for (const member of members) {
        for (const value of NASTY_MEMBERS) {
          const body = Object.fromEntries(
            members.map((name) => [name, name === member ? value : '1']),
          );
          probes++;
          await probe(
            route,
            {
              headers: { 'content-type': 'application/json', 'idempotency-key': `m-${probes}` },
              payload: JSON.stringify(body),
            },
            faults,
          );
        }
      }
    }
    expect(probes).toBeGreaterThan(300);
    expect(faults).toEqual([]);
  }, 180_000);
});
