/** What the roles of operators may do at every documented route of operators. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, createApp } from '../src/app.ts';
import type { Database } from '../src/db/index.ts';
import { OPERATOR_ROLES, scopesOfGrants, toGrant } from '../src/http/index.ts';
import { OPERATOR_SCOPES } from '../src/oidc/index.ts';
import { openTestDatabase } from './support/databases.ts';
import { type Route, readRoutes } from './support/documented-routes.ts';
import { testConfig, testMasterKey } from './support/test-config.ts';
import { createTestTokens } from './support/tokens.ts';

let database: Database;
let app: App;
let routes: Route[];

beforeAll(async () => {
  database = await openTestDatabase('server');
  app = await createApp({ config: testConfig(), database, masterKey: testMasterKey });
  await app.start();
  const all = await readRoutes(app.http);
  // A program has the token; a person signs in for the others.
  routes = all.filter(
    ({ operation }) =>
      scopeOf(operation)?.startsWith('operator:') &&
      operation['x-token-kinds']?.includes('operator') !== false,
  );
});
afterAll(async () => {
  await app.stop();
  await database.close();
});

/** Narrower scopes that suffice instead. */
const OR_SCOPES: readonly string[] = ['operator:deposits', 'operator:held-rewards'];

/** The scopes of a route, of which one is enough. */
const scopesOf = ({ security }: Route['operation']): string[] =>
  security.flatMap(({ oauth2 }) => oauth2 ?? []).filter((scope) => scope !== 'operator:read');

const scopeOf = ({ security }: Route['operation']): string | undefined => security[0]?.oauth2?.[0];

/** The routes that answer with something else than a refusal of the scopes. */
async function listAllowed(grants: readonly string[]): Promise<string[]> {
  const scopes = scopesOfGrants(grants, OPERATOR_SCOPES);
  const token = await createTestTokens(database).operator(...scopes);
  const allowed: string[] = [];
  for (const { name, method, url } of routes) {
    const headers = {
      authorization: `Bearer ${token}`,
      'idempotency-key': `${grants.join('-')}-${name}`,
    };
    const answer = await app.http.inject({ method: method as 'GET', url, headers });
    const { code } = answer.statusCode === 403 ? answer.json() : { code: undefined };
    if (code !== 'insufficient_scope' && code !== 'wrong_token_kind') allowed.push(name);
  }
  return allowed;
}

const isRead = ({ method, operation }: Route): boolean =>
  method === 'GET' && scopeOf(operation) !== 'operator:payouts-sign';
const namesOf = (of: readonly Route[]): string[] => of.map(({ name }) => name);

test('a viewer reads what any operator reads, and changes nothing', async () => {
  const reads = routes.filter(isRead);
  expect(reads.length).toBeGreaterThan(30);
  expect(await listAllowed([toGrant('viewer')])).toEqual(namesOf(reads));
});

test.each([
  ['support', ['operator:users']],
  [
    'finance',
    [
      ...['operator:rewards', 'operator:transfers', 'operator:withdrawals', 'operator:payouts'],
      ...['operator:purchases', 'operator:prices', 'operator:ledger'],
      ...['operator:deposits', 'operator:held-rewards'],
    ],
  ],
])('the role %s reads everything, and changes what is its own', async (role, own) => {
  const expected = routes.filter(
    (route) => isRead(route) || scopesOf(route.operation).some((scope) => own.includes(scope)),
  );
  expect(await listAllowed([toGrant(role)])).toEqual(namesOf(expected));
});

test('an admin has every scope, and no role has an unknown one', () => {
  expect(scopesOfGrants([toGrant('admin')], OPERATOR_SCOPES)).toEqual(OPERATOR_SCOPES);
  const named = Object.values(OPERATOR_ROLES).flatMap((scopes) => (scopes === 'all' ? [] : scopes));
  expect(named.filter((scope) => !OPERATOR_SCOPES.some((known) => known === scope))).toEqual([]);
  expect(scopesOfGrants(['role:unknown', 'operator:users'], OPERATOR_SCOPES)).toEqual([
    'operator:users',
  ]);
});

test('the document names the scope that reads in place of the own one', () => {
  for (const route of routes) {
    const others = route.operation.security.slice(1).flatMap(({ oauth2 }) => oauth2 ?? []);
    const narrower = OR_SCOPES.filter((scope) => others.includes(scope));
    expect({ name: route.name, others }).toEqual({
      name: route.name,
      others: [...narrower, ...(isRead(route) ? ['operator:read'] : [])],
    });
  }
});

test.each([
  ['operator:deposits', /^\w+ \/operator\/deposits(\/\{id\}|$)/],
  ['operator:held-rewards', /^\w+ \/operator\/held-rewards/],
])('%s suffices for decisions, and for nothing else', async (scope, decisions) => {
  const ofScope = routes.filter(({ operation }) => scopesOf(operation).includes(scope));
  expect(namesOf(ofScope)).toEqual(namesOf(routes).filter((name) => decisions.test(name)));
  expect(await listAllowed([scope])).toEqual(namesOf(ofScope));
});
