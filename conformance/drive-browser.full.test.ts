/** The driver signs in, consents and signs out, for a suite that only publishes addresses. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../service/src/db/index.ts';
import { systemClock } from '../service/src/lib/clock.ts';
import { createClient } from '../service/src/oidc/index.ts';
import { shareBrowser } from '../service/test/support/browser.ts';
import { authorizeUrl, newPkce } from '../service/test/support/browser-flow.ts';
import { openTestDatabase } from '../service/test/support/databases.ts';
import { type RunningService, startService } from '../service/test/support/running-service.ts';
import { createDriver } from './drive-browser.ts';

const EMAIL = 'conformance@example.test';
const PASSWORD = 'a password for the conformance suite';
const FOLDER = new URL('.', import.meta.url).pathname;

let database: Database;
let service: RunningService;
let suiteUrl = '';
const urls: string[] = [];
const visited: string[] = [];
/** Pictures that the suite waits for, and those that came. */
const uploads = [{ upload: 'P1' }];
const pictures: string[] = [];
const arrived: URL[] = [];
const suite = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', suiteUrl);
  response.setHeader('content-type', 'application/json');
  if (pathname === '/api/runner/running') response.end('["T0","T1"]');
  else if (pathname === '/api/info/T1') response.end('{"status":"WAITING"}');
  else if (pathname === '/api/info/T0') response.end('{"status":"FINISHED"}');
  else if (pathname === '/api/runner/browser/T1') response.end(JSON.stringify({ urls }));
  else if (pathname === '/api/log/T1/images') response.end(JSON.stringify(uploads));
  else if (pathname === '/api/log/T1/images/P1') {
    pictures.push(request.headers['content-length'] ?? '');
    uploads.length = 0;
    response.end('{}');
  } else if (pathname === '/api/runner/browser/T1/visit') {
    visited.push(searchParams.get('url') ?? '');
    response.writeHead(204).end();
  } else {
    arrived.push(new URL(request.url ?? '/', suiteUrl));
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>suite</title>');
  }
});

const post = async (path: string, body: object): Promise<Record<string, string>> => {
  const response = await fetch(`${service.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Record<string, string>;
};

beforeAll(async () => {
  await once(suite.listen(0, '127.0.0.1'), 'listening');
  suiteUrl = `http://127.0.0.1:${(suite.address() as AddressInfo).port}`;
  database = await openTestDatabase('server');
  service = await startService(database);
  await createClient(database, systemClock, {
    clientId: 'conformance',
    name: 'Conformance',
    isPublic: true,
    isFirstParty: false,
    redirectUris: [`${suiteUrl}/test/a/edge-account/callback`],
    scopes: ['openid'],
    grantTypes: ['authorization_code'],
    metadata: {
      post_logout_redirect_uris: [`${suiteUrl}/test/a/edge-account/post_logout_redirect`],
    },
  });
  const login_password = createHash('md5').update(PASSWORD).digest('hex');
  const started = await post('/user/register', { email: EMAIL, login_password, nickname: 'C' });
  const mails = await fetch(`${service.baseUrl}/dev/mail`, {
    headers: { accept: 'application/json' },
  });
  const [mail] = (await mails.json()) as { text: string }[];
  await post('/user/register/verify', {
    email: EMAIL,
    register_ticket: started.register_ticket,
    validate_code: /\b\d{6}\b/.exec(mail?.text ?? '')?.[0],
  });
});
afterAll(async () => {
  await service.stop();
  await database.close();
  suite.closeAllConnections();
  suite.close();
});

test('signs in, is recognised at the second request, and signs out', async () => {
  const drive = createDriver({
    browser: await shareBrowser(),
    suiteUrl,
    mailUrl: `${service.baseUrl}/dev/mail`,
    mailHost: new URL(service.baseUrl).host,
    email: EMAIL,
    password: PASSWORD,
  });
  const request = {
    client_id: 'conformance',
    redirect_uri: `${suiteUrl}/test/a/edge-account/callback`,
    scope: 'openid',
  };
  const ask = async (url: string): Promise<URL | undefined> => {
    urls.push(`${service.baseUrl}${url}`);
    await drive();
    expect(visited.at(-1)).toBe(`${service.baseUrl}${url}`);
    return arrived.findLast(({ pathname }) => pathname.startsWith('/test/'));
  };
  const first = await ask(authorizeUrl({ ...request, state: '1' }, newPkce()));
  expect(first?.searchParams.get('code')).toMatch(/./);
  expect(pictures.map(Number)).toEqual([expect.any(Number)]);
  expect(Number(pictures[0])).toBeGreaterThan(1000);
  const again = await ask(authorizeUrl({ ...request, state: '2' }, newPkce()));
  expect(again?.searchParams.get('state')).toBe('2');
  const logout = new URLSearchParams({
    client_id: 'conformance',
    post_logout_redirect_uri: `${suiteUrl}/test/a/edge-account/post_logout_redirect`,
    state: '3',
  });
  const out = await ask(`/oauth2/logout?${logout}`);
  expect(out?.pathname).toBe('/test/a/edge-account/post_logout_redirect');
  const silent = await ask(authorizeUrl({ ...request, prompt: 'none', state: '4' }, newPkce()));
  expect(silent?.searchParams.get('state')).toBe('4');
  expect(silent?.searchParams.get('code')).toBeNull();
});

test.each([
  'config-op',
  'basic-op',
  'form-post-op',
  'rp-initiated-logout-op',
  'back-channel-logout-op',
])('the configuration %s is complete', (name) => {
  const config = JSON.parse(readFileSync(`${FOLDER}${name}.json`, 'utf8')) as {
    plan: string;
    config: { alias: string; server: { discoveryUrl: string } };
  };
  expect(config.plan).toMatch(/^oidcc-[a-z-]+-certification-test-plan/);
  expect(config.config.alias).toBe('edge-account');
  expect(config.config.server.discoveryUrl).toMatch(/\/\.well-known\/openid-configuration$/);
});
