/** The sign-in page on another site than the service, for example that of the operator. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, type TestBrowser } from '../../service/test/support/browser.ts';
import { findFreePort } from '../../service/test/support/postgres-server.ts';
import { type ServiceProcess, startService } from '../../service/test/support/service-process.ts';
import { signUpByApi } from './support/seed.ts';
import { texts } from './support/texts.ts';
import { newPerson, signIn, signUp } from './support/user-flows.ts';
import {
  findAccessibilityProblems,
  openWindow,
  type WatchedWindow,
} from './support/watched-page.ts';

const DIST = new URL('../dist/', import.meta.url).pathname;
const TYPES = {
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
} as const;

let service: ServiceProcess;
let browser: TestBrowser;
let pages: Server;
let pageOrigin: string;
let window: WatchedWindow;

/** The built page with the one line that names the address of the service. */
function page(): string {
  return readFileSync(`${DIST}authorize.html`, 'utf8').replace(
    '<head>',
    `<head><meta name="edge-service" content="${service.baseUrl}">`,
  );
}

function servePages(port: number): Promise<Server> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://page').pathname;
    const [, name, ending] = /^\/assets\/([\w-]+\.(js|css|svg|woff2))$/.exec(path) ?? [];
    if (path !== '/authorize' && name === undefined) return response.writeHead(404).end();
    response.setHeader(
      'content-type',
      name === undefined ? 'text/html; charset=utf-8' : TYPES[ending as keyof typeof TYPES],
    );
    return response.end(name === undefined ? page() : readFileSync(`${DIST}assets/${name}`));
  });
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
}

beforeAll(async () => {
  const port = await findFreePort();
  pageOrigin = `http://127.0.0.1:${port}`;
  [service, browser, pages] = await Promise.all([
    startService({ AUTHORIZATION_PAGE_URL: `${pageOrigin}/authorize` }),
    openBrowser(),
    servePages(port),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await service?.dispose();
  pages?.close();
});

/** All errors except that a page of another host was opened, which this test intends. */
const consoleErrors = () =>
  window.consoleErrors.filter((text) => !text.startsWith(`foreign host: ${pageOrigin}/`));

test('a user signs in there, arrives in this console, and stays signed in', async () => {
  const person = newPerson();
  await signUpByApi(service.baseUrl, person);
  window = await openWindow(browser.browser, service.baseUrl);
  const { page: tab, context } = window;
  await tab.goto('/wallets');
  await tab.waitForURL(`${pageOrigin}/authorize?**`);
  await tab.getByLabel('Email').waitFor();
  expect(await findAccessibilityProblems(tab)).toEqual([]);
  await signIn(tab, service.baseUrl, person);
  await tab.waitForURL(`${service.baseUrl}/**`);
  await tab.getByRole('heading', { name: 'Earned today' }).waitFor();
  await tab.reload();
  await tab.getByRole('heading', { name: 'Earned today' }).waitFor();
  expect(consoleErrors()).toEqual([]);
  await context.close();
});

test('a new user registers at the other origin', async () => {
  window = await openWindow(browser.browser, service.baseUrl);
  const { page: tab, context } = window;
  await tab.goto('/');
  await tab.waitForURL(`${pageOrigin}/authorize?**`);
  await tab.getByRole('button', { name: 'Create account' }).click();
  await signUp(tab, service.baseUrl, newPerson());
  await tab.waitForURL(`${service.baseUrl}/**`);
  await tab.getByRole('heading', { name: 'Earned today' }).waitFor();
  expect(consoleErrors()).toEqual([]);
  await context.close();
});

test('a request that has ended leads from the other origin to this console', async () => {
  window = await openWindow(browser.browser, service.baseUrl);
  const { page: tab, context } = window;
  await tab.goto(`${pageOrigin}/authorize?interaction_id=nonsense`);
  await tab.getByRole('heading', { name: texts.signIn.overTitle }).waitFor();
  expect(await tab.getByRole('link', { name: 'Open your account' }).getAttribute('href')).toBe(
    `${service.baseUrl}/`,
  );
  expect(consoleErrors()).toEqual([]);
  await context.close();
});
