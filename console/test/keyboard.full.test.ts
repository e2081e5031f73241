/** With the keyboard only: signing in, authorising an application, and converting money. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { readCode } from '../../service/test/demo/http-client.ts';
import { openApplication } from './support/application.ts';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { type SeededAccount, seedAccount } from './support/seed-account.ts';
import { overview } from './support/user-flows.ts';
import type { WatchedWindow } from './support/watched-page.ts';

const TABS_MAX = 40;

const stage = startBrowserFixture();
let seeded: SeededAccount;
let window: WatchedWindow;
let page: Page;

beforeAll(async () => {
  seeded = await seedAccount(stage.service);
  window = await stage.open();
  page = window.page;
});

/** Presses Tab until an element with this name has a visible focus. */
async function tabTo(name: string | RegExp): Promise<void> {
  for (let tabs = 0; tabs < TABS_MAX; tabs++) {
    await page.keyboard.press('Tab');
    const found = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null;
      if (!element) return { name: '', isSeen: false };
      const label =
        element.getAttribute('aria-label') ??
        element.labels?.[0]?.textContent ??
        element.textContent ??
        '';
      // A switch is drawn by its next sibling, a segment by its parent.
      const drawn = [element, element.nextElementSibling, element.parentElement].filter(
        (part) => part !== null,
      );
      return {
        name: label.trim(),
        isSeen: drawn.some((part) => getComputedStyle(part).outlineStyle !== 'none'),
      };
    });
    if (typeof name === 'string' ? found.name !== name : !name.test(found.name)) continue;
    expect(found.isSeen, `the focus on ${found.name} is seen`).toBe(true);
    return;
  }
  throw new Error(`${name} cannot be reached by Tab`);
}

/** What a screen reader announces for a page or a step. */
async function expectTold(heading: string, title: string): Promise<void> {
  await page
    .getByRole('heading', { name: heading, exact: true })
    .and(page.locator(':focus'))
    .waitFor();
  expect(await page.title()).toBe(`${title} · Edge Account`);
}

test('a user signs in', async () => {
  const { email, password } = seeded.person;
  await page.goto('/');
  await page.getByLabel('Email').waitFor();
  await page.keyboard.type(email);
  await tabTo('Password');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'One more step' }).waitFor();
  await page.keyboard.type(await readCode(stage.service.baseUrl, email));
  await overview(page).waitFor();
  await expectTold('Earned today', 'Overview');
  expect(window.consoleErrors).toEqual([]);
});

test('rewards are converted', async () => {
  await tabTo('Skip to content');
  await tabTo('Wallets');
  await page.keyboard.press('Enter');
  await expectTold('Wallets', 'Wallets');
  await tabTo('Convert');
  await page.keyboard.press('Enter');
  await expectTold('Convert rewards', 'Convert rewards');
  await page.getByLabel('Amount').waitFor();
  await tabTo('Amount');
  await page.keyboard.type('100');
  await tabTo('Into');
  await page.keyboard.type('USDT');
  await page.keyboard.press('Enter');
  await tabTo('See the offer');
  await page.keyboard.press('Enter');
  await page.getByText('You get').waitFor();
  await tabTo('Convert now');
  await page.keyboard.press('Enter');
  await page.getByText('18.25 USDT arrived in your asset wallet').waitFor();
  expect(window.consoleErrors).toEqual([]);
});

test('an application is authorised', async () => {
  const application = await openApplication(stage.service, ['openid']);
  await page.goto(application.asking);
  await page.getByRole('heading', { name: 'Weather asks for access' }).waitFor();
  await tabTo('Allow');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/back\?code=/);
  application.close();
});
