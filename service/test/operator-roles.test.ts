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

const scopeOf = ({ security }: Route['operation']): string | undefined => security[0]?.oauth2?.[0];

/** The routes that answer the role with something else than a refusal of its scopes. */
async function listAllowed(role: string): Promise<string[]> {
  const scopes = scopesOfGrants([toGrant(role)], OPERATOR_SCOPES);
  const token = await createTestTokens(database).operator(...scopes);
  const allowed: string[] = [];
  for (const { name, method, url } of routes) {
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': `${role}-${name}` };
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
  expect(await listAllowed('viewer')).toEqual(namesOf(reads));
});

test.each([
  ['support', ['operator:users']],
  [
    'finance',
    [
      ...['operator:rewards', 'operator:transfers', 'operator:withdrawals', 'operator:payouts'],
      ...['operator:purchases', 'operator:prices', 'operator:ledger'],
    ],
  ],
])('the role %s reads everything, and changes what is its own', async (role, own) => {
  const expected = routes.filter(
    (route) => isRead(route) || own.includes(scopeOf(route.operation) ?? ''),
  );
  expect(await listAllowed(role)).toEqual(namesOf(expected));
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
    expect({ name: route.name, others }).toEqual({
      name: route.name,
      others: isRead(route) ? ['operator:read'] : [],
    });
  }
});
