/** `/docs` over HTTP: every operation is listed, and the files keep to their policies. */
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { toPageRule } from '@edge-account/sdk/accent';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/support/databases.ts';
import { pngOf } from '../../../test/support/images.ts';
import { testConfig, testMasterKey } from '../../../test/support/test-config.ts';
import { createTestTokens } from '../../../test/support/tokens.ts';
import { type App, createApp } from '../../app.ts';
import type { Database } from '../../db/index.ts';
import { type ListedDocument, renderOperationsPage } from './operations-page.ts';

let database: Database;
let app: App;
let document: Required<ListedDocument>;
beforeAll(async () => {
  database = await openTestDatabase('embedded');
  app = await createApp({ config: testConfig(), database, masterKey: testMasterKey });
  await app.start();
  document = (await app.http.inject('/openapi.json')).json();
});
afterAll(async () => {
  await app.stop();
  await database.close();
});

const read = (url: string, headers: Record<string, string> = {}) =>
  app.http.inject({ url, headers });

async function put(payload: object): Promise<void> {
  const token = await createTestTokens(database).operator('operator:brand');
  const headers = { authorization: `Bearer ${token}` };
  const url = '/operator/brand';
  expect((await app.http.inject({ method: 'PUT', url, headers, payload })).statusCode).toBe(200);
}

const tagsOf = (path: Record<string, { readonly tags?: readonly string[] }>): string[] =>
  Object.values(path).flatMap(({ tags = [] }) => tags);

describe('the page of operations', () => {
  test('has every operation once, in the part and the order of the document', async () => {
    const { body } = await read('/docs');
    const links = [...body.matchAll(/href="\/docs\/explorer#\/([^"]+)"/g)].map(([, id]) => id);
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    const expected = document.tags.flatMap(({ name }) =>
      operations
        .filter(({ tags }) => tags?.includes(name))
        .map(({ operationId }) => `${name}/${operationId}`),
    );
    expect(expected.length).toBe(operations.length);
    expect(links).toEqual(expected);
    expect(body).toContain(`>${expected.length} operations</span>`);
    expect(body).toMatch(
      /<b class="post">POST<\/b> <code>\/user<wbr>\/register<\/code> <span>Start a registration/,
    );
    expect(body).toContain('<a href="/openapi.json">');
    expect(body).toContain('<code>Prefer: amounts=string</code>');
  });

  test('each part has an address, which the contents lead to', async () => {
    const { body } = await read('/docs');
    const ids = [...body.matchAll(/<section id="([^"]+)"/g)].map(([, id]) => id);
    const used = new Set(Object.values(document.paths).flatMap((path) => tagsOf(path)));
    expect(ids).toEqual(document.tags.map(({ name }) => name).filter((name) => used.has(name)));
    const contents = [...body.matchAll(/<li><a href="#([^"]+)">/g)].map(([, id]) => id);
    expect(contents).toEqual([...ids, ...ids]);
    const all = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(all).size).toBe(all.length);
    expect(body).toContain('>OpenID Connect</h2>');
    expect(body).toContain('>Second factors</h2>');
  });

  test('lets a browser take its sheet, own scripts and own images alone', async () => {
    const { body, headers } = await read('/docs');
    const [, css = ''] = /<style>([\s\S]*?)<\/style>/.exec(body) ?? [];
    const hash = createHash('sha256').update(css).digest('base64');
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; font-src 'self'; script-src 'self'; ` +
        "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(body).not.toMatch(/\bstyle=|\bon[a-z]+=|<script(?! defer src="\/docs\/static\/)/);
  });

  test('is small, compressed, and asked for by its tag', async () => {
    const { rawPayload, headers } = await read('/docs', { 'accept-encoding': 'gzip' });
    expect(headers['content-encoding']).toBe('gzip');
    expect(rawPayload.length).toBeLessThan(20_000);
    const { body } = await read('/docs');
    expect(gunzipSync(rawPayload).toString()).toBe(body);
    const again = await read('/docs', { 'if-none-match': String(headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  test('attack: a text of the document stays text', () => {
    const hostile = '<script>alert(1)</script>"\'';
    const { html } = renderOperationsPage(
      { name: hostile },
      {
        info: { version: hostile, description: hostile },
        servers: [{ url: hostile }],
        tags: [{ name: hostile, description: `\`${hostile}\`` }],
        paths: { [hostile]: { get: { operationId: hostile, summary: hostile, tags: [hostile] } } },
      },
    );
    expect(html.match(/<script\b/g)).toHaveLength(1);
    expect(html).toContain('<code>&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;</code>');
  });
});

test('both pages show the brand from the next request on', async () => {
  const before = await read('/docs');
  const rule = toPageRule('#2563eb');
  expect(before.body).toContain('<span>Edge Account</span>');
  expect(before.body).toContain('<link rel="icon" href="/docs/static/icon.svg">');
  await put({ name: 'Acme & Co', accent: '#2563eb', logo: pngOf(64, 32).toString('base64') });
  for (const path of ['/docs', '/docs/', '/docs/explorer']) {
    const { body } = await read(path, { 'if-none-match': String(before.headers.etag) });
    expect(body).toContain('<span>Acme &amp; Co</span>');
    expect(body).toMatch(/<img class="plate" src="\/brand\/logos\/[0-9a-f]{64}"/);
  }
  expect((await read('/docs')).body).toContain(rule);
  expect((await read('/docs/static/explorer.css')).body).toContain(rule);
  await put({ logo: null });
  expect((await read('/docs')).body).toBe(before.body);
});

test.each([
  ['/docs/explorer', 'text/html'],
  ['/docs/static/operations.js', 'text/javascript'],
  ['/docs/static/start.js', 'text/javascript'],
  ['/docs/static/explorer.css', 'text/css'],
  ['/docs/static/swagger-ui.css', 'text/css'],
  ['/docs/static/icon.svg', 'image/svg+xml'],
])('%s is %s under a policy', async (path, type) => {
  const { statusCode, headers } = await read(path);
  expect(statusCode).toBe(200);
  expect(headers['content-type']).toContain(type);
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; /);
  expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:|\*/);
});
