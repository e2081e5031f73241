/**
 * Lints the OpenAPI document: it must be complete and use the names of the contract.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, createApp } from '../src/app.ts';
import type { Database } from '../src/db/index.ts';
import { openTestDatabase } from './support/databases.ts';
import { testConfig, testMasterKey } from './support/test-config.ts';

interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: string[];
  readonly security?: Record<string, string[]>[];
  readonly parameters?: {
    name: string;
    in: string;
    description?: string;
    schema: { type?: string };
  }[];
  readonly responses: Record<string, { description?: string; content?: Record<string, unknown> }>;
  readonly requestBody?: {
    readonly required?: boolean;
    content: Record<string, { schema?: { properties?: Record<string, { description?: string }> } }>;
  };
  readonly operationId?: string;
}

interface Document {
  readonly tags: { name: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { schemas: Record<string, unknown> };
}

let database: Database;
let app: App;
let document: Document;
let operations: [name: string, operation: Operation][];

beforeAll(async () => {
  database = await openTestDatabase('embedded');
  app = await createApp({ config: testConfig(), database, masterKey: testMasterKey });
  document = (await app.http.inject('/openapi.json')).json();
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
});
afterAll(async () => {
  await app.stop();
  await database.close();
});

/** The contract's endpoints. */
const CONTRACT = [
  'GET /.well-known/jwks.json',
  'GET /.well-known/openid-configuration',
  'GET /oauth2/authorize',
  'POST /oauth2/authorize',
  'POST /oauth2/authorize/consent',
  'POST /oauth2/token',
  'POST /user/login-with-password',
  'POST /user/login/2fa',
  'POST /user/logout',
  'GET /account/info',
  'GET /account/bills',
  'GET /account/asset',
  'GET /bonus-account/info',
  'GET /bonus-account/bills',
  'GET /bonus-account/asset',
  'GET /me/devices',
  'POST /me/devices/{node_id}/disconnect',
  'POST /me/devices/{node_id}/delete',
  'GET /address/info',
  'GET /deposit/records',
  'GET /deposit/get/{id}',
  'GET /community/members',
  'GET /community/members/export',
  'POST /community/members/note',
  'GET /dashboard/overview',
  'GET /dashboard/network-rewards',
  'GET /dashboard/earnings',
];

test('every endpoint of the contract is documented', () => {
  const names = operations.map(([name]) => name);
  expect(CONTRACT.filter((name) => !names.includes(name))).toEqual([]);
});

test('every operation has summary, description, one tag, security and documented answers', () => {
  const faults = operations.flatMap(([name, operation]) => {
    const found: string[] = [];
    if (!operation.summary) found.push('no summary');
    if (!operation.description) found.push('no description');
    if (operation.tags?.length !== 1) found.push('not one tag');
    if (!operation.security) found.push('no security');
    if (!Object.keys(operation.responses).some((status) => /^(101|[23])/.test(status)))
      found.push('no success answer');
    if (!operation.responses.default?.content?.['application/problem+json'])
      found.push('no problem answer');
    return found.map((fault) => `${name}: ${fault}`);
  });
  expect(faults).toEqual([]);
});

test('every operation has an id that begins with a verb, and lists its problems by status', () => {
  const ids = operations.map(([, { operationId }]) => operationId);
  expect(new Set(ids).size).toBe(operations.length);
  expect(ids.filter((id) => !/^[a-z]+([A-Z0-9][A-Za-z0-9]*)+$/.test(id ?? ''))).toEqual([]);
  const unlisted = operations.filter(
    ([, { responses }]) => !Object.keys(responses).some((status) => /^4/.test(status)),
  );
  expect(unlisted.map(([name]) => name)).toEqual([]);
});

test('every tag is used, and path ids are integers', () => {
  const used = new Set(operations.flatMap(([, { tags = [] }]) => tags));
  expect(document.tags.map(({ name }) => name).filter((name) => !used.has(name))).toEqual([]);
  const idsOf = (name: string) =>
    operations
      .find(([each]) => each === name)?.[1]
      .parameters?.filter((parameter) => parameter.in === 'path')
      .map(({ schema }) => schema.type);
  expect(idsOf('GET /deposit/get/{id}')).toEqual(['integer']);
  expect(idsOf('POST /operator/webhooks/{id}/deliveries/{delivery_id}/redeliver')).toEqual([
    'integer',
    'integer',
  ]);
  expect(idsOf('GET /me/devices/{node_id}')).toEqual(['string']);
});

test('operations without input take no body', () => {
  const requires = (name: string) =>
    operations.find(([each]) => each === name)?.[1].requestBody?.required;
  for (const name of [
    'POST /me/authenticator/remove',
    'POST /me/passkeys/{id}/delete',
    'POST /operator/withdrawals/{id}/cancel',
  ])
    expect({ name, requires: requires(name) }).toEqual({ name, requires: false });
});

test('every query parameter is described', () => {
  const faults = operations.flatMap(([name, { parameters = [] }]) =>
    parameters
      .filter((parameter) => parameter.in === 'query' && !parameter.description)
      .map((parameter) => `${name} ${parameter.name}`),
  );
  expect(faults).toEqual([]);
});

test('every body of the protocol endpoints is described, for each accepted content type', () => {
  const bodies = [
    'POST /oauth2/token',
    'POST /oauth2/revoke',
    'POST /oauth2/introspect',
    'POST /oauth2/device_authorization',
    'POST /oauth2/authorize',
  ];
  for (const name of bodies) {
    const content = operations.find(([known]) => known === name)?.[1].requestBody?.content ?? {};
    expect({ name, types: Object.keys(content).sort() }).toEqual({
      name,
      types: ['application/json', 'application/x-www-form-urlencoded'],
    });
    const fields = Object.values(content).flatMap(({ schema }) =>
      Object.entries(schema?.properties ?? {}),
    );
    expect(
      fields.filter(([, field]) => !field.description).map(([field]) => `${name} ${field}`),
    ).toEqual([]);
    expect(fields.length).toBeGreaterThan(3);
  }
});

test('no schema has a generated name', () => {
  expect(
    Object.keys(document.components.schemas).filter((name) => /^(def-|Schema)\d/.test(name)),
  ).toEqual([]);
});

test('the version is the package version', () => {
  const { version } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  ) as { version: string };
  expect(document).toMatchObject({ openapi: '3.1.0', info: { version } });
});

test('amounts in requests are strings or numbers, and name the largest value', () => {
  const amountOf = (name: string) => {
    const body = operations.find(([each]) => each === name)?.[1].requestBody;
    return body?.content['application/json']?.schema?.properties?.amount;
  };
  for (const name of [
    'POST /operator/rewards',
    'POST /operator/withdrawals',
    'POST /operator/withdrawals/{id}/settle',
    'POST /operator/purchases',
    'POST /operator/purchases/{id}/refund',
    'POST /bonus-account/convert/quote',
  ])
    expect({ name, amount: amountOf(name) }).toMatchObject({
      amount: {
        type: ['string', 'number'],
        description: expect.stringContaining('at most 10^40 minor units'),
      },
    });
});

test('the document is compressed where that is accepted, and revalidated by its ETag', async () => {
  const plain = await app.http.inject('/openapi.json');
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.headers.vary).toBe('Accept-Encoding, Origin');
  const compressed = await app.http.inject({
    url: '/openapi.json',
    headers: { 'accept-encoding': 'br, gzip' },
  });
  expect(compressed.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(compressed.rawPayload).toString()).toBe(plain.body);
  const { etag } = compressed.headers;
  for (const known of [etag, `"another", ${etag}`]) {
    const revalidated = await app.http.inject({
      url: '/openapi.json',
      headers: { 'if-none-match': known },
    });
    expect([revalidated.statusCode, revalidated.body]).toEqual([304, '']);
  }
  const changed = await app.http.inject({
    url: '/openapi.json',
    headers: { 'if-none-match': '"another"' },
  });
  expect(changed.statusCode).toBe(200);
});

test('a record with an ETag says so, and what takes If-Match says when it is refused', () => {
  const find = (name: string) => operations.find(([each]) => each === name)?.[1];
  const [read, put] = [find('GET /operator/brand'), find('PUT /operator/brand')];
  for (const operation of [read, put])
    expect(operation?.responses[200]).toMatchObject({
      headers: { ETag: { schema: { type: 'string' } } },
      content: { 'application/json': { schema: { type: 'object' } } },
    });
  expect(put?.parameters).toMatchObject([{ name: 'If-Match', in: 'header', required: false }]);
  expect(put?.responses).toHaveProperty('412');
});

test('each operation that answers amounts declares how to get them as strings', () => {
  const declares = ([, { parameters = [] }]: (typeof operations)[number]): boolean =>
    parameters.some((parameter) => parameter.in === 'header' && parameter.name === 'Prefer');
  const names = operations.filter(declares).map(([name]) => name);
  expect(names).toContain('GET /account/info');
  expect(names).toContain('POST /operator/rewards');
  expect(names).not.toContain('GET /me');
});
