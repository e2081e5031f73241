/**
 * Amounts of any length: every digit is shown, nothing is cut or overlaps, and no page scrolls
 * horizontally.
 */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectOk } from '../../service/test/demo/http-client.ts';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { becomeOperator, confirmOperator } from './support/operator-journey.ts';
import { openPage } from './support/pages.ts';
import { buyPackage, type Operator, openOperator, setPrice, signUpByApi } from './support/seed.ts';
import { texts } from './support/texts.ts';
import { newPerson } from './support/user-flows.ts';
import {
  addVirtualAuthenticator,
  findOverflow,
  findOverlaps,
  resize,
} from './support/watched-page.ts';

const stage = startBrowserFixture();
let page: Page;

const WIDTHS = [320, 390, 1280] as const;
const MILLION = '1234567.123456789012345678';
/** The longest amount of a posting with 18 decimals. */
const HUGE = `${'9'.repeat(22)}.${'9'.repeat(18)}`;
const HUGE_SHOWN = `9${',999'.repeat(7)}.${'9'.repeat(18)}`;

async function credit(
  operator: Operator,
  userId: number,
  { wallet, currency, amount }: { wallet: string; currency: string; amount: string },
): Promise<void> {
  const isReward = wallet === 'bonus';
  const transfer = {
    debit: { house: isReward ? 'reward_pool' : 'adjustment' },
    credit: { user_id: userId, wallet },
    currency,
    amount,
    business_id: isReward ? 'reward' : 'adjustment',
    ...(isReward && { reward_type: 'BONUS', event_at: new Date().toISOString() }),
  };
  const { results } = await expectOk<{ results: { status: string }[] }>(
    `${operator.baseUrl}/operator/transfers`,
    {
      token: operator.token,
      body: { transfers: [transfer] },
      headers: { 'idempotency-key': randomUUID() },
    },
  );
  expect(results).toMatchObject([{ status: 'posted' }]);
}

/** Deposits as the service returns them. */
const DEPOSITS = ['1234567', '123456789.123456', HUGE].map((amount, at) => ({
  id: at + 1,
  currency: 'USDT',
  currency_network: 'ETHEREUM',
  amount,
  status: at === 0 ? 'confirming' : 'credited',
  confirmations: 3,
  required_confirmations: 12,
  address: `0x${'a'.repeat(40)}`,
  tx_hash: `0x${'b'.repeat(64)}`,
  detected_at: new Date().toISOString(),
}));

beforeAll(async () => {
  const { baseUrl } = stage.service;
  page = (await stage.open()).page;
  await addVirtualAuthenticator(page);
  const person = await becomeOperator(page, stage.service);
  const operator = await openOperator(stage.service);
  const { records } = await expectOk<{
    records: { user_id: number; email: string; referral_code?: string }[];
  }>(`${baseUrl}/operator/users?current=1&size=20`, {
    token: operator.token,
  });
  const userId = records.find(({ email }) => email === person.email)?.user_id ?? 0;
  await page.goto('/people');
  const referralCode = (await page.locator('code').first().textContent()) ?? '';
  const friend = await signUpByApi(baseUrl, newPerson('Grace'), referralCode);
  await setPrice(operator, 'EDGE', '100');
  await setPrice(operator, 'ETH', '4000');
  await credit(operator, userId, { wallet: 'bonus', currency: 'EDGE', amount: MILLION });
  await credit(operator, userId, { wallet: 'bonus', currency: 'ETH', amount: HUGE });
  await credit(operator, userId, { wallet: 'asset', currency: 'ETH', amount: '1000000000000.5' });
  await credit(operator, userId, {
    wallet: 'asset',
    currency: 'EDGE',
    amount: '123456789.123456789012345678',
  });
  await buyPackage(operator, friend.userId, '123456789.12');
  await page.route('**/deposit/records?*', (route) =>
    route.fulfill({ json: { records: DEPOSITS, total: DEPOSITS.length, current: 1, size: 20 } }),
  );
  await confirmOperator(page, person);
});

async function expectReadable(): Promise<void> {
  expect(await findOverflow(page)).toEqual([]);
  expect(await findOverlaps(page)).toEqual([]);
}

/** The exact number, after a tap or for screen readers. */
async function expectExact(text: string): Promise<void> {
  await expect
    .poll(async () => {
      const names = await page
        .locator('main button[aria-expanded]')
        .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')));
      const texts = await page.locator('main, dialog[open]').allTextContents();
      return [...names, ...texts].join(' ').replaceAll(' ', '');
    })
    .toContain(text);
}

// A page is loaded once, at the narrowest width, and then widened: the layout has to be right after
// a resize, too, and loading takes most of the time.
describe.each([
  ['/', '1,234,567.123456789012345678'],
  ['/wallets', '1,000,000,000,000.50'],
  ['/wallets?wallet=bonus', HUGE_SHOWN],
  ['/deposits', '1,234,567.00'],
  ['/people', '123,456,789.12'],
  ['/operator?view=ledger', HUGE_SHOWN],
])('%s', (path, exact) => {
  beforeAll(async () => {
    await resize(page, WIDTHS[0]);
    await openPage(page, path);
  });

  test.each(WIDTHS)('at %i pixels', async (width) => {
    await resize(page, width);
    await expectExact(exact);
    await expectReadable();
  });
});

describe.each(['/wallets', '/wallets?wallet=bonus'])('a bill in its sheet on %s', (path) => {
  beforeAll(async () => {
    await resize(page, WIDTHS[0]);
    await openPage(page, path);
    await page.getByRole('list', { name: 'Activity' }).locator('[data-entry]').first().click();
    await page.getByRole('dialog').waitFor();
  });

  test.each(WIDTHS)('at %i pixels', async (width) => {
    await resize(page, width);
    await expectReadable();
  });
});

test('on a phone, what has accrued has its value beside it', async () => {
  await page.route('**/dashboard/overview', async (route) => {
    const response = await route.fetch();
    const overview = (await response.json()) as object;
    const accrued = [{ currency: 'EDGE', amount: MILLION }];
    await route.fulfill({ response, json: { ...overview, accrued } });
  });
  await page.route('**/me/rewards/schedule', (route) =>
    route.fulfill({
      json: { is_paying: true, period: 'day', next_payment_at: new Date().toISOString() },
    }),
  );
  await resize(page, WIDTHS[0]);
  await openPage(page, '/');
  await page.getByText(texts.home.accrued).getByText('≈').waitFor();
  await expectReadable();
});
