import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestServer } from '../../test/support/test-server.ts';
import { CONSOLE_PATHS, installConsole } from './index.ts';

let folder: string;
let app: ReturnType<typeof createTestServer>;

beforeAll(async () => {
  folder = `${await mkdtemp(join(tmpdir(), 'edge-console-'))}/`;
  await mkdir(`${folder}assets`);
  for (const file of ['index.html', 'authorize.html'])
    await writeFile(
      `${folder}${file}`,
      '<!doctype html><script nonce="__CSP_NONCE__" src="/assets/a.js"></script>' +
        '<meta nonce="__CSP_NONCE__">',
    );
  await writeFile(`${folder}push-worker.js`, 'addEventListener;');
  await writeFile(`${folder}assets/a-1.js`, 'export {};');
  await writeFile(`${folder}assets/a-1.js.br`, 'compressed');
  app = createTestServer();
  await installConsole(app, {
    folder,
    baseUrl: 'http://localhost:8080',
  });
});

afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

test('every console path serves the page, with a nonce that the policy names', async () => {
  const nonces = new Set<string>();
  for (const path of CONSOLE_PATHS) {
    const answer = await app.inject({
      url: path.replace('*', 'anything'),
      headers: { host: 'localhost:8080' },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
    const policy = String(answer.headers['content-security-policy']);
    const nonce = /script-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    expect(policy).toContain("style-src-attr 'none'");
    expect(policy).not.toContain('unsafe');
    expect(answer.body).toBe(
      `<!doctype html><script nonce="${nonce}" src="/assets/a.js"></script><meta nonce="${nonce}">`,
    );
    nonces.add(nonce);
    const head = await app.inject({
      method: 'HEAD',
      url: path.replace('*', 'anything'),
      headers: { host: 'localhost:8080' },
    });
    expect(head).toMatchObject({ statusCode: 200, body: '' });
    expect(head.headers['content-length']).toBe(answer.headers['content-length']);
  }
  expect(nonces.size).toBe(CONSOLE_PATHS.length);
});

test('an address with text that cannot be stored serves the page as well', async () => {
  const answer = await app.inject({
    url: '/wallets?currency=%00',
    headers: { host: 'localhost:8080' },
  });
  expect(answer).toMatchObject({ statusCode: 200 });
  expect(answer.body).toContain('<!doctype html>');
});

test('assets are cached for ever, and compressed for clients that accept it', async () => {
  const plain = await app.inject('/assets/a-1.js');
  expect(plain.body).toBe('export {};');
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  const compressed = await app.inject({
    url: '/assets/a-1.js',
    headers: { 'accept-encoding': 'gzip, br' },
  });
  expect(compressed.headers['content-encoding']).toBe('br');
  expect(compressed.body).toBe('compressed');
});

test('the service worker is asked for each time, and may reach this service only', async () => {
  const worker = await app.inject('/push-worker.js');
  expect(worker.body).toBe('addEventListener;');
  expect(worker.headers).toMatchObject({
    ...{ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' },
    'content-security-policy': "default-src 'none'; connect-src 'self'",
  });
});

test('only built files are reachable through /assets', async () => {
  for (const path of [
    '/assets/missing.js',
    '/assets/',
    '/assets/../index.html',
    '/assets/%2e%2e/index.html',
    '/assets/..%2findex.html',
  ]) {
    expect((await app.inject(path)).statusCode, path).toBeGreaterThanOrEqual(400);
  }
});

test('an unknown address is a page for a browser and a problem for a program', async () => {
  for (const url of ['/nothing/here', '/%E0%A4%A', '/wallets/%', '/me/%FF?x=%']) {
    const page = await app.inject({
      url,
      headers: { host: 'localhost:8080', accept: 'text/html,application/xhtml+xml' },
    });
    expect([url, page.statusCode, page.headers['content-type']]).toEqual([
      url,
      404,
      'text/html; charset=utf-8',
    ]);
    expect(page.headers['x-content-type-options']).toBe('nosniff');
    const problem = await app.inject({ url, headers: { host: 'localhost:8080', accept: '*/*' } });
    expect([url, problem.statusCode, problem.json().code]).toEqual([url, 404, 'not_found']);
  }
});

test('another name of this machine redirects to the origin of the console', async () => {
  const led = await app.inject({ url: '/devices?a=1', headers: { host: '127.0.0.1:8080' } });
  expect(led.statusCode).toBe(302);
  expect(led.headers.location).toBe('http://localhost:8080/devices?a=1');
  // A name of another machine is not redirected.
  expect(
    (await app.inject({ url: '/devices', headers: { host: 'evil.example' } })).statusCode,
  ).toBe(200);
});
