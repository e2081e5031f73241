/**
 * Problems that follow from what a route declares, not from what it does: each operation that the
 * OpenAPI document lists with one of them answers it. Problems of an operation's own are compared
 * by `npm run coverage` (docs/testing.md).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, createApp } from '../src/app.ts';
import type { Database } from '../src/db/index.ts';
import { authorizeUrl, newPkce } from './support/browser-flow.ts';
import { openTestDatabase } from './support/databases.ts';
import { codesOf, type DescribedOperation, readOperations } from './support/documented-examples.ts';
import { type ExampleRequest, requestsOf, tokenFor } from './support/example-requests.ts';
import { testConfig, testMasterKey } from './support/test-config.ts';
import { insertUser } from './support/test-users.ts';
import { createTestTokens, type TestTokens } from './support/tokens.ts';

/** A stream has no end, and an upgrade no answer; they have tests of their own. */
const ELSEWHERE: ReadonlySet<string> = new Set(['streamEvents', 'connectDevice']);

/** Settings without which an instance has all roles. */
const SERVER = { DATABASE_URL: 'postgres://unused', MASTER_KEY: '07'.repeat(32) };

let database: Database;
let app: App;
let tokens: TestTokens;
let operations: DescribedOperation[];

beforeAll(async () => {
  database = await openTestDatabase('server');
  app = await createApp({ config: testConfig(), database, masterKey: testMasterKey });
  await app.start();
  tokens = createTestTokens(database);
  const document = (await app.http.inject('/openapi.json')).json();
  operations = readOperations(document).filter(({ operationId }) => !ELSEWHERE.has(operationId));
});
afterAll(async () => {
  await app.stop();
  await database.close();
});

type Changes = Partial<Omit<ExampleRequest, 'method'>>;

interface Sent {
  readonly operation: DescribedOperation;
  /** The first request of its examples. */
  readonly request: ExampleRequest;
}

/**
 * Sends the request of each operation that lists a code, changed as `change` says, and names the
 * operations that do not answer it.
 */
async function findOthers(
  code: string,
  change: (sent: Sent) => Changes | Promise<Changes>,
  { http }: Pick<App, 'http'> = app,
): Promise<string[]> {
  const others: string[] = [];
  const listed = operations.filter((operation) => codesOf(operation).includes(code));
  expect(listed.length, code).toBeGreaterThan(10);
  for (const operation of listed) {
    const [request] = requestsOf(operation);
    if (request === undefined) throw new Error(`${operation.operationId} has no example`);
    const { headers = {}, ...changes } = await change({ operation, request });
    const answer = await http.inject({
      ...request,
      ...changes,
      headers: { ...request.headers, 'idempotency-key': 'common', ...headers },
    });
    const isProblem = answer.headers['content-type']?.startsWith('application/problem+json');
    const seen = isProblem ? answer.json<{ code: string }>().code : answer.statusCode;
    if (seen !== code) others.push(`${operation.operationId}: ${seen}`);
  }
  return others;
}

/** The operation that `findOthers` names. */
const idOf = (text: string): string => text.split(':', 1)[0] ?? '';
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

async function accepted({ operation }: Sent): Promise<{ headers: Record<string, string> }> {
  if (operation.security.length === 0) return { headers: {} };
  return bearer(await tokenFor(database, tokens, operation));
}

test('no token, a wrong one, and a revoked one', async () => {
  expect(await findOthers('missing_token', () => ({}))).toEqual([]);
  expect(await findOthers('invalid_token', () => bearer('x.y.z'))).toEqual([]);
  const { accessToken } = await tokens.login(await insertUser(database));
  const own = { ...bearer(accessToken), payload: { id: readSubject(accessToken) } };
  await app.http.inject({ ...own, method: 'POST', url: '/user/logout' });
  const readMe = async () =>
    (await app.http.inject({ ...bearer(accessToken), url: '/me' })).statusCode;
  await expect.poll(readMe).toBe(401);
  expect(await findOthers('token_revoked', () => bearer(accessToken))).toEqual([]);
});

test('a token without scopes, and one of another kind', async () => {
  const userId = await insertUser(database);
  const bare = await tokens.person(userId, { scopes: [] });
  const node = await tokens.person(userId, { tokenUse: 'device', scopes: [], nodeId: 'another' });
  const client = await tokens.operator();
  for (const code of ['insufficient_scope', 'wrong_token_kind']) {
    const others: string[][] = [];
    for (const token of [bare, node, client])
      others.push((await findOthers(code, () => bearer(token))).map(idOf));
    const [first = [], ...rest] = others;
    expect(
      first.filter((id) => rest.every((ids) => ids.includes(id))),
      code,
    ).toEqual([]);
  }
});

test('a stream that does not begin', async () => {
  const stream = (token: string, { http }: Pick<App, 'http'> = app, headers = {}) =>
    http.inject({ url: '/me/events', headers: { ...bearer(token).headers, ...headers } });
  const codeOf = async (...args: Parameters<typeof stream>) => (await stream(...args)).json().code;
  const userId = await insertUser(database);
  const { accessToken } = await tokens.login(userId);
  expect(await codeOf('x.y.z')).toBe('invalid_token');
  expect(await codeOf(accessToken, app, { host: ['a.test', 'b.test'] })).toBe('malformed_request');
  const chains = await createApp({
    config: testConfig({ ...SERVER, ROLES: 'chains' }),
    database,
    masterKey: testMasterKey,
  });
  expect(await codeOf(accessToken, chains)).toBe('misdirected_request');
  await app.http.inject({
    ...{ method: 'POST', url: '/user/logout', payload: { id: userId } },
    ...bearer(accessToken),
  });
  await expect.poll(() => codeOf(accessToken)).toBe('token_revoked');
  await chains.stop();
});

test('a body that is no JSON, too large, or of another media type', async () => {
  const json = { 'content-type': 'application/json' };
  const withBody = (headers: Record<string, string>, payload: string) => async (sent: Sent) => ({
    payload,
    headers: { ...(await accepted(sent)).headers, ...headers },
  });
  expect(await findOthers('malformed_body', withBody(json, '{"a":'))).toEqual([]);
  const large = JSON.stringify({ a: 'x'.repeat(30_000_000) });
  expect(await findOthers('body_too_large', withBody(json, large))).toEqual([]);
  const xml = { 'content-type': 'application/xml' };
  expect(await findOthers('unsupported_media_type', withBody(xml, '<a/>'))).toEqual([]);
});

test('text that cannot be stored, in the query or the body', async () => {
  const refused = async (sent: Sent): Promise<Changes> => {
    const { headers } = await accepted(sent);
    const { method, url } = sent.request;
    if (method === 'GET') return { headers, url: `${url}&other=%00` };
    return {
      payload: '{"other":"\\u0000"}',
      headers: { ...headers, 'content-type': 'application/json' },
    };
  };
  expect(await findOthers('invalid_parameter', refused)).toEqual([]);
});

test('a request with two hosts, and one of another role', async () => {
  expect(
    await findOthers('malformed_request', async (sent) => ({
      headers: { ...(await accepted(sent)).headers, host: ['a.test', 'b.test'] as never },
    })),
  ).toEqual([]);
  const chains = await createApp({
    config: testConfig({ ...SERVER, ROLES: 'chains' }),
    database,
    masterKey: testMasterKey,
  });
  expect(await findOthers('misdirected_request', () => ({}), chains)).toEqual([]);
  await chains.stop();
});

test('a request without its key', async () => {
  expect(
    await findOthers('idempotency_key_required', async (sent) => ({
      headers: { ...(await accepted(sent)).headers, 'idempotency-key': '' },
    })),
  ).toEqual([]);
});

/** An authorization request of the console that waits for its user. */
async function openInteraction({ http }: App, own: Database): Promise<string> {
  const { rows } = await own.query<{ uri: string }>(
    "select redirect_uris[1] as uri from oauth_client where client_id = 'edge-console'",
  );
  const parameters = {
    client_id: 'edge-console',
    redirect_uri: rows[0]?.uri ?? '',
    scope: 'openid',
    // The decision then reads when the user signed in.
    max_age: '3600',
  };
  const answer = await http.inject(authorizeUrl(parameters, newPkce()));
  return new URL(answer.headers.location ?? '').searchParams.get('interaction_id') ?? '';
}

const readSubject = (token: string): number =>
  Number(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sub);

/** Where an example names what this installation refuses before it reads the database. */
function toOwnRequest(operationId: string, interactionId: string, token: string): Changes {
  const json = (body: object) => ({ payload: JSON.stringify(body) });
  const state = `?interaction_id=${interactionId}`;
  const own: Readonly<Record<string, Changes>> = {
    getConsent: { url: `/oauth2/authorize/consent${state}` },
    decideConsent: json({ interaction_id: interactionId, decision: 'allow' }),
    getAuthorizationState: { url: `/oauth2/authorize/state${state}` },
    logOut: json({ id: readSubject(token) }),
    listDevelopmentMail: { headers: { host: new URL(testConfig().BASE_URL).host } },
  };
  return own[operationId] ?? {};
}

test('a database that is gone, and a defect', async () => {
  const own = await openTestDatabase('server');
  const broken = await createApp({ config: testConfig(), database: own, masterKey: testMasterKey });
  await broken.start();
  const interactionId = await openInteraction(broken, own);
  const { pool } = own;
  const { query, connect } = pool;
  const whole = Object.assign(Object.create(pool) as typeof pool, { query, connect });
  const repair = (): void => void Object.assign(pool, { query, connect });
  const issue = createTestTokens(own);
  const failing =
    (error: Error) =>
    async ({ operation }: Sent): Promise<Changes> => {
      repair();
      const token = await tokenFor(own, issue, operation);
      // Revocations are read, or the guard would refuse by itself after a second.
      const fail = async (asked?: { readonly name?: string }) => {
        if (asked?.name === 'new-token-revocations') return Reflect.apply(query, whole, [asked]);
        throw error;
      };
      Object.assign(pool, { query: fail, connect: fail });
      const { headers, ...changes } = toOwnRequest(operation.operationId, interactionId, token);
      const isGuarded = operation.security.length > 0;
      return { ...changes, headers: { ...headers, ...(isGuarded && bearer(token).headers) } };
    };
  const gone = Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
  expect(await findOthers('unavailable', failing(gone), broken)).toEqual([]);
  expect(await findOthers('internal_error', failing(new Error('a defect')), broken)).toEqual([]);
  repair();
  // The guard refuses by itself once it cannot read revocations; until then the stream begins.
  const { accessToken } = await issue.login(await insertUser(own));
  const fail = async () => {
    throw gone;
  };
  Object.assign(pool, { query: fail, connect: fail });
  const openStream = () =>
    broken.http
      .inject({ ...bearer(accessToken), url: '/me/events', signal: AbortSignal.timeout(300) })
      .then(
        (answer) => answer.json().code,
        () => undefined,
      );
  await expect.poll(openStream, { timeout: 10_000 }).toBe('unavailable');
  repair();
  await broken.stop();
  await own.close();
});
