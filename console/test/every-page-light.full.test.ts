/**
 * Every page of the console: accessible, without horizontal scrolling at 320 px. The dark theme and
 * the other languages are in `every-page.full.test.ts`.
 */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { openPage, PAGES, pathOf } from './support/pages.ts';
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

test.each(PAGES)('%s is accessible and logs no error', async (path) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 320, height: 640 });
  await openPage(page, pathOf(path, seeded));
  expect(await findAccessibilityProblems(page)).toEqual([]);
  expect(window.consoleErrors).toEqual([]);
  expect(await findOverflow(page)).toEqual([]);
});

test('the language and the theme can be changed and are kept', async () => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/');
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByLabel('Language').selectOption('zh');
  await page.getByRole('heading', { name: '今日收益' }).waitFor();
  await page.getByRole('button', { name: '使用浅色外观' }).click();
  await page.reload();
  await page.getByRole('heading', { name: '今日收益' }).waitFor();
  expect(
    await page.evaluate(() => [
      document.documentElement.lang,
      document.documentElement.dataset.theme,
    ]),
  ).toEqual(['zh', 'light']);
  await page.getByRole('button', { name: /的账户$/ }).click();
  await page.getByLabel('语言').selectOption('en');
  expect(window.consoleErrors).toEqual([]);
});
