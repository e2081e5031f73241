/**
 * What is touched on a phone: 44 pixels where a control stands alone, 24 where it is part of a
 * text (WCAG 2.5.5 and 2.5.8). Measured by what a finger hits, not by what is drawn.
 */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { openPage, PAGES, pathOf } from './support/pages.ts';
import { type SeededAccount, seedAccount } from './support/seed-account.ts';
import { findSmallTargets } from './support/touch-targets.ts';

const stage = startBrowserFixture();
let seeded: SeededAccount;
let page: Page;

beforeAll(async () => {
  seeded = await seedAccount(stage.service);
  const options = { viewport: { width: 390, height: 844 }, hasTouch: true };
  ({ page } = await stage.openAs(seeded.person, options));
});

test.each(PAGES)('%s', async (path) => {
  await openPage(page, pathOf(path, seeded));
  expect(await findSmallTargets(page)).toEqual([]);
});

test.each([
  ['/devices', 'main li button'],
  ['/wallets?wallet=bonus', 'main [aria-label="Activity"] [data-entry]'],
  ['/security', 'main section:last-of-type button'],
])('what %s opens', async (path, opener) => {
  await openPage(page, path);
  await page.locator(opener).first().click();
  await page.locator('dialog[open]').waitFor();
  expect(await findSmallTargets(page)).toEqual([]);
});

test.each([
  ['the sign-in', '/', 'input[type=email]'],
  ['the page of an error', '/oauth2/authorize?client_id=none', 'main a'],
  ['the operations', '/docs', '#filter'],
])('%s', async (_what, path, sign) => {
  const { page: fresh } = await stage.open({ viewport: { width: 390, height: 844 } });
  await fresh.goto(path);
  await fresh.locator(sign).waitFor();
  expect(await findSmallTargets(fresh)).toEqual([]);
});
