/** A person finds a movement by what they would type, as far back as they want to look. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { closeWithoutErrors, startBrowserFixture } from './support/browser-fixture.ts';
import { draw, watchShifts } from './support/layout-shifts.ts';
import { openOperator, payRewards, signUpByApi } from './support/seed.ts';
import { seedAccount } from './support/seed-account.ts';
import { texts } from './support/texts.ts';
import { newPerson, type Person } from './support/user-flows.ts';
import {
  findAccessibilityProblems,
  findOverflow,
  untilNothingIsOpen,
  type WatchedWindow,
} from './support/watched-page.ts';

const stage = startBrowserFixture();
const { shell, wallets } = texts;
/** With more bills than one search looks through. */
const busy = newPerson('Grace');
let seeded: Person;
let window: WatchedWindow;
let page: Page;

beforeAll(async () => {
  seeded = (await seedAccount(stage.service)).person;
  const { userId } = await signUpByApi(stage.service.baseUrl, busy);
  const operator = await openOperator(stage.service);
  const event_at = new Date().toISOString();
  await payRewards(operator, userId, [{ amount: '7.125', reward_type: 'TASK', event_at }]);
  const rewards = Array.from({ length: 1000 }, () => ({
    ...{ amount: '1', reward_type: 'UPTIME', event_at },
  }));
  for (let batch = 0; batch < 2; batch++) await payRewards(operator, userId, rewards);
  window = await stage.openAs(seeded);
  page = window.page;
  return () => closeWithoutErrors(window);
});

const field = (on = page) => on.getByRole('searchbox', { name: wallets.search.label });
const rows = (on = page) => on.getByRole('list', { name: wallets.bills }).getByRole('listitem');
const searchFor = async (text: string, on = page): Promise<void> => {
  await field(on).fill(text);
  await field(on).press('Enter');
};
const found = (text: string, on = page) => on.getByRole('status').getByText(text).waitFor();

test('by a kind, an amount as it is shown, and a number', async () => {
  await page.goto('/wallets?wallet=bonus');
  await rows().first().waitFor();
  await page.keyboard.press('/');
  expect(await field().evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.type('bonus');
  await page.keyboard.press('Enter');
  await found('6 entries found');
  await page.getByText(wallets.search.all).waitFor();
  expect(await rows().getByText(shell.rewardType.BONUS).count()).toBe(6);
  expect(new URL(page.url()).searchParams.get('text')).toBe('bonus');
  expect(await findAccessibilityProblems(page)).toEqual([]);

  await page.getByRole('button', { name: wallets.export, exact: true }).click();
  const told = wallets.csv.searched.replace('{{text}}', 'bonus');
  await page.getByRole('dialog').getByText(told).waitFor();
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);

  const shown = (await rows().getByText(/^\+/).first().textContent()) ?? '';
  await searchFor(shown.replace(/[^\d.]/g, ''));
  await found('6 entries found');

  await rows().first().getByRole('button').click();
  const sheet = page.getByRole('dialog');
  const number = await sheet
    .locator('div')
    .filter({ has: page.getByText(wallets.billNumber, { exact: true }) })
    .locator('dd')
    .textContent();
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);
  await searchFor(`#${number}`);
  await found('1 entry found');
});

test('the address keeps it, and filters narrow it; it is cleared by one press', async () => {
  await page.goto('/wallets?wallet=bonus&text=traffic&amountDirection=2');
  await page.getByText('Nothing found for “traffic”').waitFor();
  await page.getByText(wallets.search.noneLead).waitFor();
  expect(await page.getByRole('button', { name: wallets.search.further }).count()).toBe(0);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: shell.filter.clearSearch }).click();
  await page.getByText(wallets.noMatch).waitFor();
  expect(await field().inputValue()).toBe('');
  await page.getByRole('button', { name: shell.filter.clear }).click();
  await rows().first().waitFor();
  expect(new URL(page.url()).search).toBe('?wallet=bonus');
});

test('it says how far back it went, and looks further', async () => {
  const own = await stage.openAs(busy, { viewport: { width: 320, height: 700 } });
  await own.page.goto('/wallets?wallet=bonus');
  await searchFor('7.12', own.page);
  await own.page.getByText('Nothing found for “7.12”').waitFor();
  await own.page.getByText(wallets.search.backTo).waitFor();
  expect(await findOverflow(own.page)).toEqual([]);
  expect(await findAccessibilityProblems(own.page)).toEqual([]);
  await own.page.getByRole('button', { name: wallets.search.further }).click();
  await found('1 entry found', own.page);
  await own.page.getByText(wallets.search.all).waitFor();
  expect(await rows(own.page).getByText(shell.rewardType.TASK).count()).toBe(1);
  expect(await findOverflow(own.page)).toEqual([]);
  await closeWithoutErrors(own);
});

test('nothing shifts while a search is opened by its address', async () => {
  const shifts = await watchShifts(page);
  await page.goto('/wallets?wallet=bonus&text=bonus');
  await found('6 entries found');
  await draw(page);
  expect(await shifts()).toEqual([]);
});
