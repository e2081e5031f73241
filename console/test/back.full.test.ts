/**
 * "Back" of the browser closes an open layer first, and then leaves the page; every press has an
 * effect.
 */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { expectFocus } from './support/focus.ts';
import { seedAccount } from './support/seed-account.ts';
import { texts } from './support/texts.ts';
import { untilNothingIsOpen, type WatchedWindow } from './support/watched-page.ts';

const stage = startBrowserFixture();
let window: WatchedWindow;
let page: Page;

beforeAll(async () => {
  window = await stage.openAs((await seedAccount(stage.service)).person);
  page = window.page;
});

async function goTo(place: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: place }).click();
  // Until then the previous page is shown, which contains the same texts.
  await page.getByRole('heading', { name: place, level: 1, exact: true }).waitFor();
}
const path = (): string => new URL(page.url()).pathname;

test('"back" closes a bill in its place in the list; a second "back" leaves', async () => {
  await goTo('Wallets');
  await page.getByText('Rewards', { exact: true }).click();
  const bill = page.getByRole('list', { name: 'Activity' }).locator('[data-entry]').nth(9);
  await bill.scrollIntoViewIfNeeded();
  const top = await page.evaluate(() => scrollY);
  await bill.click();
  await page.getByRole('dialog').getByText('Balance after').waitFor();
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(path()).toBe('/wallets');
  await expectFocus(page, bill);
  expect(Math.abs((await page.evaluate(() => scrollY)) - top)).toBeLessThan(40);
  // A sheet that closes without "back" leaves no entry in the history.
  await bill.click();
  await page.getByRole('dialog').getByText('Balance after').waitFor();
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);
  await page.goBack();
  await page.getByRole('heading', { name: 'Earned today' }).waitFor();
  expect(path()).toBe('/');
});

test('one "back" closes a confirmation, and a reload leaves no entry in the history', async () => {
  await goTo('Devices');
  const card = page.getByRole('button', { name: /Chrome/ });
  await card.click();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByText(texts.devices.disconnectLead).waitFor();
  await page.goBack();
  // The dialog behind the confirmation is still open.
  await page.getByRole('dialog').getByText('Node ID').waitFor();
  await page.reload();
  await card.waitFor();
  await untilNothingIsOpen(page);
  await page.goBack();
  await page.getByRole('heading', { name: 'Earned today' }).waitFor();
});

test('"back" leads from an offer to the order', async () => {
  await goTo('Wallets');
  await page.getByRole('link', { name: 'Convert' }).click();
  await page.getByLabel('Amount').fill('100');
  await page.getByRole('button', { name: 'See the offer' }).click();
  await page.getByText('You get').waitFor();
  await page.goBack();
  expect(await page.getByLabel('Amount').inputValue()).toBe('100');
  expect(path()).toBe('/wallets/convert');
  await page.goBack();
  await page.getByRole('heading', { name: 'Wallets' }).waitFor();
  expect(window.consoleErrors).toEqual([]);
});
