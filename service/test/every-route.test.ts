/**
 * Invalid input at every documented route: the response is a problem with a stable code, never a
 * 500. New routes are covered automatically.
 */
import { generateKeyPairSync } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type App, createApp } from '../src/app.ts';
import type { Database } from '../src/db/index.ts';
import { BUSINESS_SCOPES, OPERATOR_SCOPES } from '../src/oidc/index.ts';
import { openTestDatabase, RUN_ENGINES } from './support/databases.ts';
import { type Route, readRoutes } from './support/documented-routes.ts';
import { INVALID_BODIES, INVALID_MEMBERS, INVALID_VALUES } from './support/invalid-input.ts';
import { testConfig, testMasterKey } from './support/test-config.ts';
import { insertUser } from './support/test-users.ts';
import { createTestTokens } from './support/tokens.ts';

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
    routes = await readRoutes(app.http);
  });
  afterAll(async () => {
    await app.stop();
    await database.close();
  });

  const isGuarded = ({ operation }: Route): boolean => operation.security.length > 0;
  const tokenFor = ({ operation }: Route): string =>
    operation.security[0]?.oauth2?.some((scope) => scope.startsWith('operator:'))
      ? operator
      : person;
  const isOAuth = ({ url }: Route): boolean => url.startsWith('/oauth2/');

  /** Sends a request, and collects the response unless it is a valid refusal. */
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
        `${route.name} ${(request.url ?? '').slice(0, 100)} ` +
          `${(request.payload ?? '').slice(0, 80)} -> ` +
          `${response.statusCode} ${response.body.slice(0, 200)}`,
      );
  }

  test('guarded routes refuse missing and forged tokens', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const claims = {
      token_use: 'business',
      scope: BUSINESS_SCOPES.join(' '),
      client_id: 'edge-console',
      sid: 'x',
      email: 'a@b.test',
    };
    const [head = '', payload = '', signature = ''] = person.split('.');
    const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
    const { kid } = decode(head) as { kid: string };
    const changed = JSON.stringify({ ...decode(payload), sub: '424242' });
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
      `${head}.${Buffer.from(changed).toString('base64url')}.${signature}`,
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

  test('invalid query values get a problem with a stable code', async () => {
    const faults: string[] = [];
    for (const route of routes) {
      const names = (route.operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'query')
        .map(({ name }) => name);
      for (const name of names) {
        for (const value of INVALID_VALUES) {
          const others = names
            .filter((other) => other === 'current' || other === 'size')
            .filter((other) => other !== name)
            .map((other) => `&${other}=1`)
            .join('');
          const encoded = value.startsWith('%') ? value : encodeURIComponent(value);
          await probe(route, { url: `${route.url}?${name}=${encoded}${others}` }, faults);
        }
      }
    }
    expect(faults).toEqual([]);
  });

  test('invalid path parameters get a problem with a stable code', async () => {
    const faults: string[] = [];
    const withParameters = routes.filter(({ name }) => name.includes('{'));
    for (const route of withParameters) {
      for (const value of INVALID_VALUES.slice(1)) {
        const url = route.name
          .slice(route.name.indexOf(' ') + 1)
          .replaceAll(/\{[^}]+\}/g, value.startsWith('%') ? value : encodeURIComponent(value));
        await probe(route, { url }, faults);
      }
    }
    expect(withParameters.length).toBeGreaterThan(3);
    expect(faults).toEqual([]);
  });

  test('invalid bodies get a problem with a stable code', async () => {
    const faults: string[] = [];
    for (const route of routes.filter(({ method }) => method !== 'GET')) {
      for (const [type, payload] of INVALID_BODIES)
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

  test('each invalid member of a documented body gets a problem with a stable code', async () => {
    const faults: string[] = [];
    let probes = 0;
    for (const route of routes) {
      const schema = route.operation.requestBody?.content['application/json']?.schema;
      const members = Object.keys(schema?.properties ?? {});
      for (const member of members) {
        for (const value of INVALID_MEMBERS) {
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
