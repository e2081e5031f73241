/**
 * Every page of the console: accessible in the dark theme, complete in every language, without
 * horizontal scrolling at 320 px. The light theme is in `every-page-light.full.test.ts`.
 */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { CATALOGUES, catalogueOf, flatten } from './support/catalogues.ts';
import { openPage, PAGES, pathOf, readTexts } from './support/pages.ts';
import { type SeededAccount, seedAccount } from './support/seed-account.ts';
import {
  findAccessibilityProblems,
  findOverflow,
  type WatchedWindow,
} from './support/watched-page.ts';

const stage = startBrowserFixture();
let seeded: SeededAccount;
let window: WatchedWindow;
let page: Page;

beforeAll(async () => {
  seeded = await seedAccount(stage.service);
  window = await stage.openAs(seeded.person);
  page = window.page;
});

/** Layers of pages: the page, the button that opens the layer, and an element of the layer. */
const SHEETS = [
  ['/devices', 'main li button'],
  [
    '/wallets?wallet=bonus',
    [...CATALOGUES.values()]
      .map(({ wallets }) => `main [aria-label='${wallets.bills}'] button`)
      .join(),
  ],
  ['/security', 'main section:last-of-type button'],
] as const;

test.each(PAGES)('%s is accessible in the dark theme and logs no error', async (path) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  await openPage(page, pathOf(path, seeded));
  expect(await findAccessibilityProblems(page)).toEqual([]);
  expect(window.consoleErrors).toEqual([]);
  expect(await findOverflow(page)).toEqual([]);
});

/** What stands in place of a text that a catalogue lacks. */
const KEYS = new Set(
  [...flatten(catalogueOf('en')).keys()]
    .flatMap((key) => [key.replace('.', ':'), key.replace(/^\w+\./, '')])
    .filter((key) => /[.:]/.test(key)),
);

function isKey(text: string): boolean {
  return KEYS.has(text) || text.includes('{{');
}

/**
 * One visit of each page for all three checks, because loading takes most of the time. English at
 * this width is in `every-page-light.full.test.ts`.
 */
test.each([...CATALOGUES.keys()].filter((language) => language !== 'en'))(
  'every page in %s is complete, fits 320 px and respects reduced motion',
  async (language) => {
    const { page, consoleErrors } = await stage.openAs(seeded.person, {
      hasMotion: true,
      viewport: { width: 320, height: 640 },
    });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.evaluate((chosen) => localStorage.setItem('edge-language', chosen), language);
    const moving = () =>
      document
        .getAnimations()
        .filter(({ effect }) => Number(effect?.getComputedTiming().endTime) > 1).length;
    for (const path of PAGES) {
      await openPage(page, pathOf(path, seeded));
      expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
      expect(await page.evaluate(moving), path).toBe(0);
      expect((await readTexts(page)).filter(isKey), path).toEqual([]);
      expect(await findOverflow(page), path).toEqual([]);
    }
    expect(consoleErrors).toEqual([]);
  },
);

test('no sheet needs horizontal scrolling at 320 px, in any language', async () => {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const language of CATALOGUES.keys()) {
    await page.evaluate((chosen) => localStorage.setItem('edge-language', chosen), language);
    for (const [path, target] of SHEETS) {
      await openPage(page, path);
      await page.locator(target).last().click();
      await page.locator('dialog[open]').waitFor();
      expect(await findOverflow(page), `${path}, its sheet in ${language}`).toEqual([]);
    }
  }
  expect(window.consoleErrors).toEqual([]);
});
