/** The manifest of the app that browsers install, as a browser gets it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { pngOf } from '../../test/support/images.ts';
import { testConfig, testMasterKey } from '../../test/support/test-config.ts';
import { createTestTokens } from '../../test/support/tokens.ts';
import { type App, createApp } from '../app.ts';
import type { Database } from '../db/index.ts';
import { type Brand, DEFAULT_BRAND } from './brand.ts';
import { appIconOf, toManifest } from './manifest.ts';

const PATH = '/manifest.webmanifest';
const OWN_ICON = /^\/assets\/app-icon-[\w-]+-[0-9a-f]{8}\.png$/;

describe.each(RUN_ENGINES)('the manifest on %s', (engine) => {
  let database: Database;
  let app: App;
  let authorization: string;

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    app = await createApp({ config: testConfig(), database, masterKey: testMasterKey });
    await app.start();
    authorization = `Bearer ${await createTestTokens(database).operator('operator:brand')}`;
  });
  afterAll(async () => {
    await app.stop();
    await database.close();
  });

  const read = (headers: Record<string, string> = {}) => app.http.inject({ url: PATH, headers });
  const readPage = async () =>
    (await app.http.inject({ url: '/', headers: { host: 'localhost:8080' } })).body;
  async function put(payload: object): Promise<void> {
    const request = { method: 'PUT', url: '/operator/brand', headers: { authorization } } as const;
    expect((await app.http.inject({ ...request, payload })).statusCode).toBe(200);
  }
  const putLogo = (image: Buffer) => put({ name: 'Acme', logo: image.toString('base64') });
  beforeEach(() => put({ logo: null }));

  test('installs the whole console in a window of its own', async () => {
    const answer = await read();
    expect(answer.headers).toMatchObject({
      'content-type': 'application/manifest+json; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.json()).toEqual({
      ...{ id: '/', start_url: '/', scope: '/', display: 'standalone' },
      ...{ name: 'Edge Account', short_name: 'Edge Account' },
      ...{ theme_color: '#f6f6f2', background_color: '#f6f6f2' },
      icons: [
        ['192x192', 'any'],
        ['512x512', 'any'],
        ['512x512', 'maskable'],
      ].map(([sizes, purpose]) => ({
        ...{ src: expect.stringMatching(OWN_ICON), sizes, purpose, type: 'image/png' },
      })),
    });
    const head = await app.http.inject({ method: 'HEAD', url: PATH });
    expect([head.statusCode, head.body]).toEqual([200, '']);
  });

  test('has the name of the network, and an ETag that changes with it', async () => {
    const { etag } = (await read()).headers;
    const again = await read({ 'if-none-match': `W/${etag}` });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    await put({ name: 'Acme & Sons' });
    const changed = await read({ 'if-none-match': String(etag) });
    expect([changed.statusCode, changed.json().name]).toEqual([200, 'Acme & Sons']);
  });

  test('has a square logo as its icon, and so has the page for iPhones', async () => {
    await putLogo(pngOf(256, 256));
    const { icons } = (await read()).json();
    expect(icons).toEqual([
      {
        src: expect.stringMatching(/^\/brand\/logos\/[0-9a-f]{64}$/),
        ...{ sizes: '256x256', type: 'image/png', purpose: 'any' },
      },
    ]);
    const image = await app.http.inject(icons[0].src);
    expect([image.statusCode, image.headers['content-type']]).toEqual([200, 'image/png']);
    expect(await readPage()).toContain(`<link rel="apple-touch-icon" href="${icons[0].src}">`);
  });

  test.each([
    ['wide', pngOf(256, 64)],
    ['small', pngOf(191, 191)],
  ])('a %s logo leaves the icons of the service', async (_which, image) => {
    await putLogo(image);
    expect((await read()).json().icons).toHaveLength(3);
    expect(await readPage()).toMatch(
      /<link rel="apple-touch-icon" href="\/assets\/app-icon-180-[0-9a-f]{8}\.png">/,
    );
  });

  test('the page names it, and its policy lets it be read', async () => {
    const page = await app.http.inject({ url: '/', headers: { host: 'localhost:8080' } });
    expect(page.body).toMatch(/<link rel="manifest" href="\/manifest\.webmanifest"\s*>/);
    expect(page.headers['content-security-policy']).toContain("manifest-src 'self'");
    const signIn = await app.http.inject({
      url: '/authorize',
      headers: { host: 'localhost:8080' },
    });
    expect(signIn.body).not.toMatch(/rel="(manifest|apple-touch-icon)"/);
  });
});

test.each([
  ['image/png', true],
  ['image/webp', true],
  ['image/jpeg', false],
] as const)('a square %s can be the icon: %s', (mediaType, isFit) => {
  const logo: Brand['logo'] = { hash: 'f'.repeat(64), mediaType, width: 192, height: 192 };
  expect(appIconOf({ ...DEFAULT_BRAND, logo })).toBe(isFit ? logo : undefined);
});

test.each([
  ['Acme', 'Acme'],
  ['Acme Network', 'Acme Network'],
  ['Acme Global Compute', 'Acme Global'],
  ['Acme of the Northern Hemisphere', 'Acme of the'],
  ['Counterintelligence Network', 'Counterintelligence'],
  ['边缘计算奖励网络', '边缘计算奖励网络'],
])('%s is short as %s', (name, short) => {
  expect(toManifest({ ...DEFAULT_BRAND, name })).toMatchObject({ name, short_name: short });
});
