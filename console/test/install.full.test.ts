/**
 * A browser finds what it needs to install the console as an app, and an iPhone, which pushes to
 * installed apps only, says so. The Chromium of the tests parses the manifest; without a window it
 * finds every page installable, so what it asks for is compared here.
 */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectOk } from '../../service/test/demo/http-client.ts';
import { pngOf } from '../../service/test/support/images.ts';
import { closeWithoutErrors, startBrowserFixture } from './support/browser-fixture.ts';
import { openPage } from './support/pages.ts';
import { openOperator, signUpByApi } from './support/seed.ts';
import { texts } from './support/texts.ts';
import { newPerson } from './support/user-flows.ts';
import {
  findAccessibilityProblems,
  findOverflow,
  type WatchedWindow,
} from './support/watched-page.ts';

const stage = startBrowserFixture();
const { push } = texts.notifications;

/** As Chromium has parsed it. */
async function parseManifest({ context, page }: WatchedWindow) {
  const cdp = await context.newCDPSession(page);
  const { errors, data = '', ...parsed } = await cdp.send('Page.getAppManifest');
  const { name, display, icons = [] } = parsed.manifest;
  const { icons: declared } = JSON.parse(data) as { icons: { purpose: string }[] };
  return {
    ...{ errors, name, display },
    start: parsed.manifest.startUrl,
    icons: icons.map(({ url, sizes }, index) => ({
      ...{ url, sizes, purpose: declared[index]?.purpose },
    })),
  };
}

/** Width and height of a picture, as the page decodes it. */
const sizeOf = (page: Page, url: string): Promise<string> =>
  page.evaluate(async (src) => {
    const image = new Image();
    image.src = src;
    await image.decode();
    return `${image.naturalWidth}x${image.naturalHeight}`;
  }, url);

async function openStart(): Promise<WatchedWindow> {
  const window = await stage.open();
  await window.page.goto('/');
  await window.page.getByRole('heading', { name: texts.signIn.title }).waitFor();
  return window;
}

test('the manifest has no error, and its icons are as large as it says', async () => {
  const window = await openStart();
  const manifest = await parseManifest(window);
  expect(manifest).toMatchObject({
    ...{ errors: [], name: 'Edge Account', display: 'kStandalone' },
    start: `${stage.service.baseUrl}/`,
  });
  expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ]);
  for (const { url, sizes } of manifest.icons) expect(await sizeOf(window.page, url)).toBe(sizes);
  const touchIcon = window.page.locator('link[rel=apple-touch-icon]');
  expect(await sizeOf(window.page, (await touchIcon.getAttribute('href')) ?? '')).toBe('180x180');
  await closeWithoutErrors(window);
});

test('a network with a square logo is installed under its name and logo', async () => {
  const { baseUrl, token } = await openOperator(stage.service);
  const logo = pngOf(256, 256).toString('base64');
  await expectOk(`${baseUrl}/operator/brand`, {
    ...{ method: 'PUT', token },
    body: { name: 'Acme Network', logo },
  });
  const window = await openStart();
  const { name, errors, icons } = await parseManifest(window);
  expect({ name, errors }).toEqual({ name: 'Acme Network', errors: [] });
  expect(icons).toMatchObject([{ sizes: '256x256', purpose: 'any' }]);
  for (const { url, sizes } of icons) expect(await sizeOf(window.page, url)).toBe(sizes);
  await closeWithoutErrors(window);
});

/** What pages find in a browser of an iPhone, beside the home screen or opened from there. */
function stubIphone(isInstalled: boolean): void {
  Object.defineProperty(navigator, 'standalone', { value: isInstalled });
  if (!isInstalled) Reflect.deleteProperty(globalThis, 'PushManager');
}

test('an iPhone asks for the page on its home screen, and can then be turned on', async () => {
  const ada = newPerson('Ada');
  await signUpByApi(stage.service.baseUrl, ada);
  const window = await stage.openAs(ada, { viewport: { width: 320, height: 640 } });
  const { page } = window;
  const here = page.getByRole('switch', { name: push.here });
  await page.addInitScript(stubIphone, false);
  await openPage(page, '/notifications');
  await page.reload();
  await page.getByText(push.not_installed).waitFor();
  expect(await page.getByText(push.unsupported).count()).toBe(0);
  expect(await here.count()).toBe(0);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  expect(await findOverflow(page)).toEqual([]);
  await closeWithoutErrors(window);

  const installed = await stage.openAs(ada);
  await installed.page.addInitScript(stubIphone, true);
  await installed.page.addInitScript(() =>
    Object.defineProperty(Notification, 'permission', { get: () => 'default' }),
  );
  await openPage(installed.page, '/notifications');
  await installed.page.reload();
  await installed.page.getByRole('switch', { name: push.here }).waitFor();
  await closeWithoutErrors(installed);
});
