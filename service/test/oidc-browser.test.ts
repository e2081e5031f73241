/**
 * oidc-client-ts, unmodified, in a real browser: an application on one origin, the sign-in page on
 * another, the service on a third that is not even the same site.
 */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../src/db/index.ts';
import { systemClock } from '../src/lib/clock.ts';
import { createClient } from '../src/oidc/index.ts';
import { openBrowser, type TestBrowser } from './support/browser.ts';
import { openTestDatabase } from './support/databases.ts';
import { pairwiseSubject } from './support/pairwise.ts';
import { type RunningService, startService } from './support/running-service.ts';
import { insertUser } from './support/test-users.ts';

const library = readFileSync(
  createRequire(import.meta.url)
    .resolve('oidc-client-ts')
    .replace(/dist\/.*$/, 'dist/browser/oidc-client-ts.min.js'),
);

let database: Database;
let service: RunningService;
let browser: TestBrowser;
let application: Server;
let signInPage: Server;
let accessToken = '';
let userId = 0;

function serve(pages: (path: string) => string | Buffer): Promise<Server> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    response.setHeader('content-type', path.endsWith('.js') ? 'text/javascript' : 'text/html');
    response.end(pages(path));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

const originOf = (server: Server): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** A sign-in page on another origin: this user is signed in already, and consents. */
const signIn = (): string => `<!doctype html><title>sign in</title><script>
  const id = new URLSearchParams(location.search).get('interaction_id');
  const headers = { authorization: 'Bearer ${accessToken}', 'content-type': 'application/json' };
  const url = '${service.baseUrl}/oauth2/authorize/consent';
  fetch(url + '?interaction_id=' + id, { headers }).then((answer) => answer.json()).then((asked) =>
    {
    document.title = asked.client_name;
    return fetch(url, { method: 'POST', headers, body: JSON.stringify({ interaction_id: id,
      decision: 'allow' }) });
  }).then((answer) => answer.json()).then(({ redirect_to }) => location.assign(redirect_to));
</script>`;

const app = (): string => `<!doctype html><title>app</title><script src="/oidc.js"></script><script>
  window.manager = new oidc.UserManager({
    authority: '${service.baseUrl}',
    client_id: 'spa',
    redirect_uri: location.origin + '/callback',
    scope: 'openid email account:read offline_access',
    loadUserInfo: true,
  });
</script>`;

beforeAll(async () => {
  database = await openTestDatabase('server');
  application = await serve((path) => (path === '/oidc.js' ? library : app()));
  signInPage = await serve((path) =>
    path === '/still' ? '<!doctype html><title>still</title>' : signIn(),
  );
  service = await startService(database, {
    env: { AUTHORIZATION_PAGE_URL: `${originOf(signInPage)}/authorize` },
  });
  userId = await insertUser(database, { email: 'browser@example.test' });
  accessToken = (await service.tokens.login(userId)).accessToken;
  await createClient(database, systemClock, {
    clientId: 'spa',
    name: 'Single page',
    isPublic: true,
    isFirstParty: false,
    redirectUris: [`${originOf(application)}/callback`],
    scopes: ['openid', 'email', 'account:read', 'offline_access'],
    grantTypes: ['authorization_code', 'refresh_token'],
  });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  application?.close();
  signInPage?.close();
  await database?.close();
});

interface Manager {
  signinRedirect(): Promise<void>;
  signinCallback(): Promise<User>;
  signinSilent(): Promise<User>;
  revokeTokens(): Promise<void>;
}
interface User {
  access_token: string;
  refresh_token: string;
  token_type: string;
  profile: Record<string, unknown>;
}
declare global {
  var manager: Manager;
}

test('oidc-client-ts signs in over three origins, refreshes, reads and revokes', async () => {
  const context = await browser.browser.newContext();
  const page = await context.newPage();
  await page.goto(originOf(application));
  await page.evaluate(() => {
    // The page is closed during the click.
    void manager.signinRedirect();
  });
  await page.waitForURL((url) => url.href.startsWith(`${originOf(application)}/callback?`));
  expect(page.url()).toContain(`iss=${encodeURIComponent(service.baseUrl)}`);
  const user = await page.evaluate(() => manager.signinCallback());
  expect(user).toMatchObject({
    token_type: 'Bearer',
    profile: {
      sub: pairwiseSubject('client spa', userId),
      email: 'browser@example.test',
      email_verified: true,
    },
  });
  const renewed = await page.evaluate(() => manager.signinSilent());
  expect(renewed.access_token).not.toBe(user.access_token);
  expect(renewed.refresh_token).not.toBe(user.refresh_token);
  const status = await page.evaluate(
    ([url, token]) =>
      fetch(`${url}/account/info`, { headers: { authorization: `Bearer ${token}` } }).then(
        (answer) => answer.status,
      ),
    [service.baseUrl, renewed.access_token] as const,
  );
  expect(status).toBe(200);
  await page.evaluate(() => manager.revokeTokens());
  await expect
    .poll(
      async () =>
        (
          await fetch(`${service.baseUrl}/account/info`, {
            headers: { authorization: `Bearer ${renewed.access_token}` },
          })
        ).status,
      {
        timeout: 5000,
      },
    )
    .toBe(401);
  await context.close();
});

test('an origin without a registered client reads nothing', async () => {
  const context = await browser.browser.newContext();
  const page = await context.newPage();
  await page.goto(`${originOf(signInPage)}/still`);
  const isRefused = (): Promise<boolean> =>
    page.evaluate(
      (url) =>
        fetch(`${url}/oauth2/token`, {
          method: 'POST',
          body: new URLSearchParams({ grant_type: 'client_credentials' }),
        }).then(
          () => false,
          () => true,
        ),
      service.baseUrl,
    );
  expect(await isRefused()).toBe(true);
  await context.close();
});
