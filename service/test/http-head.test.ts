/** `HEAD` of public resources: as `GET`, without the body. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../src/db/index.ts';
import { openTestDatabase } from './support/databases.ts';
import { type RunningService, startService } from './support/running-service.ts';

let database: Database;
let service: RunningService;
beforeAll(async () => {
  database = await openTestDatabase('embedded');
  service = await startService(database);
});
afterAll(async () => {
  await service.stop();
  await database.close();
});

/** Headers that differ between responses and connections. */
const PASSING = ['date', 'x-request-id', 'connection', 'keep-alive'];

async function ask(path: string, method: string) {
  const answer = await fetch(service.baseUrl + path, { method });
  const headers = Object.fromEntries(
    [...answer.headers].filter(([name]) => !PASSING.includes(name)),
  );
  return { status: answer.status, headers, body: await answer.text() };
}

test.each([
  '/openapi.json',
  '/docs',
  '/docs/',
  '/docs/explorer',
  '/docs/static/operations.js',
  '/docs/static/start.js',
  '/docs/static/swagger-ui.css',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/.well-known/jwks.json',
  '/.well-known/reward-keys.json',
])('HEAD %s', async (path) => {
  const { body, ...shown } = await ask(path, 'GET');
  expect(shown.status).toBe(200);
  expect(body).not.toBe('');
  expect(await ask(path, 'HEAD')).toEqual({ ...shown, body: '' });
});

test('HEAD is refused at routes whose GET issues a value', async () => {
  for (const path of ['/oauth2/authorize', '/me/events', '/account/info'])
    expect((await ask(path, 'HEAD')).status, path).toBe(405);
});

test.each([
  ['GET', '/oauth2/token', 'POST'],
  ['DELETE', '/account/info', 'GET'],
  ['PUT', '/user/login/2fa', 'POST'],
  ['POST', '/openapi.json?x=1', 'GET, HEAD'],
  ['POST', '/operator/users/1', 'GET'],
])('%s %s is 405 and names the methods of the path', async (method, path, allow) => {
  const { status, headers, body } = await ask(path, method);
  expect({ status, allow: headers.allow }).toEqual({ status: 405, allow });
  expect(JSON.parse(body)).toMatchObject({ code: 'method_not_allowed', status: 405 });
});

test('a path without any method is 404', async () => {
  for (const method of ['GET', 'POST', 'DELETE'])
    expect((await ask('/nowhere/at/all', method)).status, method).toBe(404);
});
