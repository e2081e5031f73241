/** With text of twice the usual size every page fits on a phone. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { openPage, PAGES, pathOf } from './support/pages.ts';
import { type SeededAccount, seedAccount } from './support/seed-account.ts';
import { findOverflow } from './support/watched-page.ts';

const stage = startBrowserFixture({}, ['--blink-settings=defaultFontSize=32']);
let seeded: SeededAccount;
let page: Page;

beforeAll(async () => {
  seeded = await seedAccount(stage.service);
  ({ page } = await stage.openAs(seeded.person));
});

test.each(PAGES)('%s', async (path) => {
  await openPage(page, pathOf(path, seeded));
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe(
    '32px',
  );
  expect(await findOverflow(page)).toEqual([]);
});
