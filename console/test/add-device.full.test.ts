/** A device of each kind: the extension as an archive or from a store, and the commands. */
import { readFile } from 'node:fs/promises';
import { strFromU8, unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { openPage } from './support/pages.ts';
import { signUpByApi } from './support/seed.ts';
import { newPerson } from './support/user-flows.ts';
import { findAccessibilityProblems, findOverflow } from './support/watched-page.ts';

const STORE = 'https://store.example.com/edge?hl=en&from="console"';
const stage = startBrowserFixture();
let page: Page;

beforeAll(async () => {
  const person = newPerson();
  await signUpByApi(stage.service.baseUrl, person);
  page = (await stage.openAs(person)).page;
});

async function choose(kind: string): Promise<void> {
  await openPage(page, '/devices/add');
  await page.getByRole('radio', { name: kind }).check();
}

test('the extension is an archive for this service, with each step to load it', async () => {
  await choose('Browser extension');
  await page.getByText('chrome://extensions').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('edge-extension.zip');
  const files = unzipSync(await readFile(await download.path()));
  expect(Object.keys(files)).toEqual(
    expect.arrayContaining(['manifest.json', 'background.js', 'popup.html', 'icons/128.png']),
  );
  const { baseUrl } = stage.service;
  expect(JSON.parse(strFromU8(files['manifest.json'] ?? new Uint8Array()))).toMatchObject({
    name: 'Edge Account',
    homepage_url: baseUrl,
    host_permissions: [`${baseUrl}/*`, 'http://127.0.0.1/*'],
    action: { default_popup: 'popup.html', default_title: 'Edge Account' },
  });
  // The extension asks for access by itself.
  expect(await page.getByLabel('Device code').count()).toBe(0);
});

/** The start of the terminal, after its download. */
const start = (): string => `node edge-terminal.mjs run --service ${stage.service.baseUrl}`;

test.each([320, 1280])('at %i pixels each kind has its steps', async (width) => {
  await page.setViewportSize({ width, height: 844 });
  for (const kind of ['Browser extension', 'Linux and macOS', 'Windows']) {
    await choose(kind);
    expect(await findOverflow(page)).toEqual([]);
    expect(await findAccessibilityProblems(page)).toEqual([]);
  }
  const file = `${stage.service.baseUrl}/edge-terminal.mjs`;
  const command = page.locator('pre span');
  expect(await command.allTextContents()).toEqual([`curl.exe -fsSO ${file}`, start()]);
  await choose('Linux and macOS');
  expect(await command.allTextContents()).toEqual([`curl -fsSO ${file} &&`, start()]);
});

test('a browser on a computer begins with the extension, and a program with its code', async () => {
  const untilChosen = (name: string) =>
    page.getByRole('radio', { name, checked: true }).waitFor({ state: 'attached' });
  await openPage(page, '/devices/add');
  await untilChosen('Browser extension');
  await openPage(page, '/device');
  await page.getByLabel('Device code').waitFor();
  await untilChosen('Linux and macOS');
});

test('where a store has the extension, the page leads to it', async () => {
  // As the service writes it for EXTENSION_URL.
  await page.addInitScript((url) => {
    document.addEventListener('DOMContentLoaded', () => {
      const meta = document.createElement('meta');
      Object.assign(meta, { name: 'edge-extension-store', content: url });
      document.head.append(meta);
    });
  }, STORE);
  await choose('Browser extension');
  const link = page.getByRole('link', { name: 'Open the store' });
  expect(await link.getAttribute('href')).toBe(STORE);
  expect(await page.getByRole('link', { name: 'Download' }).count()).toBe(0);
});
