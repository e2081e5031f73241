/**
 * The filters of a list are in the address of the page: a reload, "back" and a link restore them.
 */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { closeWithoutErrors, startBrowserFixture } from './support/browser-fixture.ts';
import { openOperatorPages } from './support/operator-journey.ts';
import { type SeededAccount, seedAccount } from './support/seed-account.ts';
import { addVirtualAuthenticator, type WatchedWindow } from './support/watched-page.ts';

const stage = startBrowserFixture();
let seeded: SeededAccount;
let window: WatchedWindow;
let page: Page;

beforeAll(async () => {
  seeded = await seedAccount(stage.service);
  window = await stage.openAs(seeded.person);
  page = window.page;
  return () => closeWithoutErrors(window);
});

const search = (): string => new URL(page.url()).search;
const alerts = () => page.getByRole('alert').filter({ hasText: /\S/ });

async function chooseBills(): Promise<void> {
  await page.getByRole('button', { name: 'Filter' }).click();
  const bills = page.getByRole('region', { name: 'Activity' });
  await bills.getByLabel('Currency').selectOption('EDGE');
  await bills.getByLabel('Direction').selectOption({ label: 'Incoming' });
  await bills.getByLabel('From', { exact: true }).pressSequentially('2026-01-05');
  await page.getByRole('button', { name: 'Filter (3)' }).waitFor();
}

test('filters of bills survive a reload and "back"; one step back leaves the page', async () => {
  await page.getByRole('link', { name: 'Wallets' }).first().click();
  await page.getByRole('radio', { name: 'Rewards' }).check();
  const steps = await page.evaluate(() => history.length);
  await chooseBills();
  expect(search()).toBe('?wallet=bonus&currency=EDGE&amountDirection=1&beginTime=2026-01-05');
  expect(await page.evaluate(() => history.length)).toBe(steps);

  await page.reload();
  await page.getByRole('button', { name: 'Filter (3)' }).click();
  expect(
    await page
      .getByRole('region', { name: 'Activity' })
      .getByLabel('From', { exact: true })
      .inputValue(),
  ).toBe('2026-01-05');
  await page.getByRole('link', { name: 'Deposit', exact: true }).click();
  await page.getByRole('heading', { name: 'Deposit', exact: true }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Filter (3)' }).waitFor();
  // The back link of the page leads to the state that was left, not to the page without filters.
  await page.getByRole('link', { name: 'Deposit', exact: true }).click();
  await page.getByRole('main').getByRole('link', { name: 'Wallets' }).click();
  await page.getByRole('button', { name: 'Filter (3)' }).waitFor();
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await page.getByRole('button', { name: 'Filter', exact: true }).waitFor();
  expect(search()).toBe('?wallet=bonus');
  await page.goBack();
  await page.getByRole('heading', { name: 'Balances' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/');
});

test.each([
  [
    '/wallets?wallet=bonus&currency=NOPE&amountDirection=7&businessId=gift&beginTime=2026-02-30&endTime=soon',
    '',
    /^\d+ (entry|entries)$/,
  ],
  [
    '/wallets?wallet=bonus&beginTime=2026-03-01&endTime=2026-02-01',
    '?wallet=bonus&beginTime=2026-03-01',
    /^\d+ (entry|entries)$|No entry/,
  ],
  ['/deposits?currency=%25&beginTime=0&endTime=1', '', /No deposits yet/],
  ['/people?type=UNKNOWN&keyword=&beginDate=1&endDate=2026-13-01', '', /^3 members$/],
  ['/?days=8&rewardType=NOPE&currency=NOPE', '', /Earnings by day/],
])('what %s says wrongly is left out', async (address, left, shown) => {
  const refused: string[] = [];
  const watch = (response: { status(): number; url(): string }): void => {
    if (response.status() >= 400) refused.push(response.url());
  };
  page.on('response', watch);
  await page.goto(address);
  await page.getByText(shown).first().waitFor();
  if (left !== '') expect(search()).toBe(left);
  expect(await alerts().count()).toBe(0);
  expect(refused).toEqual([]);
  expect(await page.getByRole('button', { name: 'Clear the filters' }).count()).toBe(
    left === '' ? 0 : 1,
  );
  page.off('response', watch);
});

test('the back link of a page that was opened directly leads to its parent page', async () => {
  await page.goto('/people');
  await page.goto('/deposits');
  await page.getByRole('main').getByRole('link', { name: 'Wallets' }).click();
  await page.getByRole('heading', { name: 'Wallets', exact: true }).waitFor();
  expect(search()).toBe('');
});

test('members are searched on request, and a link shows the same results', async () => {
  await page.goto('/people');
  await page.getByText('3 members', { exact: true }).waitFor();
  await page.getByLabel('Nickname or email').pressSequentially('lin us');
  expect(search()).toBe('');
  await page.getByLabel('Nickname or email').fill('linus');
  await page.keyboard.press('Enter');
  await page.getByText('1 member', { exact: true }).waitFor();
  expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe(
    'linus',
  );
  expect(search()).toBe('?keyword=linus');
  await page.getByRole('radio', { name: 'Everyone' }).check();
  await page.reload();
  await page.getByText('1 member', { exact: true }).waitFor();
  expect(await page.getByRole('radio', { name: 'Everyone' }).isChecked()).toBe(true);
  expect(await page.getByLabel('Nickname or email').inputValue()).toBe('linus');
  // The address of the page without parameters shows the whole list.
  await page.getByRole('link', { name: 'Community' }).first().click();
  await page.getByText('3 members', { exact: true }).waitFor();
  expect(await page.getByLabel('Nickname or email').inputValue()).toBe('');
});

test('the days and the type of the chart are kept after a reload', async () => {
  await page.goto('/');
  await page.getByRole('radio', { name: '7 days' }).check();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByLabel('Kind of reward').selectOption('BONUS');
  await page.waitForURL('**/?days=7&rewardType=BONUS');
  const asked = page.waitForRequest(/\/dashboard\/earnings\?.*rewardType=BONUS/);
  await page.reload();
  await asked;
  await page.getByRole('heading', { name: 'Earnings by day' }).waitFor();
  expect(await page.getByRole('radio', { name: '7 days' }).isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Filter (1)' }).click();
  expect(await page.getByLabel('Kind of reward').inputValue()).toBe('BONUS');
});

test('operators find the same people after a reload', async () => {
  const own = await stage.open();
  await addVirtualAuthenticator(own.page);
  await openOperatorPages(own.page, stage.service);
  await own.page
    .getByLabel(/name|email/i)
    .first()
    .fill('grace');
  await own.page.keyboard.press('Enter');
  await own.page.getByText('1 person', { exact: true }).waitFor();
  expect(new URL(own.page.url()).searchParams.get('keyword')).toBe('grace');
  await own.page.reload();
  await own.page.getByText('1 person', { exact: true }).waitFor();
  await closeWithoutErrors(own);
});
