/**
 * Every view of operators, as an administrator, on seeded data: nothing shifts while it loads, no
 * view needs horizontal scrolling at 320 px, and each is accessible in both themes.
 */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { draw, watchShifts } from './support/layout-shifts.ts';
import { openOperatorPages } from './support/operator-journey.ts';
import { openPage } from './support/pages.ts';
import { misreport, openOperator } from './support/seed.ts';
import { seedAccount } from './support/seed-account.ts';
import { createSend } from './support/seed-changes.ts';
import { seedDecisions } from './support/seed-decisions.ts';
import { texts } from './support/texts.ts';
import {
  addVirtualAuthenticator,
  findAccessibilityProblems,
  findOverflow,
  type WatchedWindow,
} from './support/watched-page.ts';

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 320, height: 640 };
/** What an address has in place of the number of the seeded person. */
const PERSON = '{person}';

const VIEWS = [
  ...Object.keys(texts.operator.view).map((view) => `view=${view}`),
  `view=users&person=${PERSON}`,
  'view=ledger&house=reward_pool&currency=EDGE',
  'view=ledger&house=reward_pool&currency=EDGE&by=day',
];

// The seeded feed and webhook are on this machine.
const stage = startBrowserFixture({ OUTGOING_LOOPBACK: 'allow' });
let window: WatchedWindow;
let page: Page;
let shifts: () => Promise<string[]>;
let userId: number;

beforeAll(async () => {
  const seeded = await seedAccount(stage.service);
  userId = seeded.account.userId;
  const operator = await openOperator(stage.service);
  await misreport(operator, seeded.devices[0]?.nodeId ?? '');
  await seedDecisions(createSend(operator), seeded);
  window = await stage.open({ viewport: WIDE });
  page = window.page;
  await addVirtualAuthenticator(page);
  await openOperatorPages(page, stage.service);
  shifts = await watchShifts(page);
});

/** Opens a view at a size, and waits until all of it is drawn. */
async function open(view: string, size: typeof WIDE): Promise<void> {
  await page.setViewportSize(size);
  await openPage(page, `/operator?${view.replace(PERSON, String(userId))}`);
  await window.untilRequestsEnd();
  await draw(page);
}

/** Without a policy of payouts there is none to be read. */
const errors = (): string[] =>
  window.consoleErrors.filter((error) => error !== 'refused: 404 GET /operator/payout-policy');

test.each(VIEWS)('%s stands still while it loads', async (view) => {
  for (const size of [WIDE, NARROW]) {
    await open(view, size);
    expect(await shifts(), `${size.width} px`).toEqual([]);
  }
  expect(errors()).toEqual([]);
});

test.each(VIEWS)('%s fits 320 px, and is accessible in both themes', async (view) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await open(view, NARROW);
  expect(await findOverflow(page)).toEqual([]);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await draw(page);
    expect(await findAccessibilityProblems(page), colorScheme).toEqual([]);
  }
  expect(errors()).toEqual([]);
});

test('where one is stays in sight on a phone, also when a font comes late', async () => {
  await page.addInitScript(() => {
    const font = Promise.withResolvers<void>();
    Object.defineProperty(document.fonts, 'ready', { value: font.promise });
    Object.assign(window, { bringFont: font.resolve });
  });
  await open('view=audit', NARROW);
  const isInSight = () =>
    page.locator('nav [aria-current=page]').evaluate((link) => {
      const { left, right } = link.getBoundingClientRect();
      return left >= 0 && right <= innerWidth;
    });
  expect(await isInSight()).toBe(true);
  await page.getByRole('navigation', { name: texts.operator.title }).evaluate((nav) => {
    nav.style.letterSpacing = '0.3em';
  });
  expect(await isInSight()).toBe(false);
  await page.evaluate(() => (window as unknown as { bringFont: () => void }).bringFont());
  await expect.poll(isInSight).toBe(true);
});
