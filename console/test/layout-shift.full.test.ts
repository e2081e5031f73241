/**
 * Nothing shifts while a page loads: measured by layout shifts of the browser, with responses in
 * the worst order.
 */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { draw, watchShifts } from './support/layout-shifts.ts';
import { PAGES, pathOf } from './support/pages.ts';
import { signUpByApi } from './support/seed.ts';
import { type SeededAccount, seedAccount } from './support/seed-account.ts';
import { texts } from './support/texts.ts';
import { newPerson } from './support/user-flows.ts';

const stage = startBrowserFixture();
let seeded: SeededAccount;
/** The referral code of a user. */
let code: string;
const newcomer = newPerson('Nia');

beforeAll(async () => {
  seeded = await seedAccount(stage.service);
  code = (await signUpByApi(stage.service.baseUrl, newcomer)).referralCode;
});

async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('main [aria-label=Loading]') === null);
  await draw(page);
}

/** The requests of the overview. */
const ANSWERS = [
  '/dashboard/overview',
  '/me/devices',
  '/dashboard/network-rewards',
  '/dashboard/earnings*',
  '/currencies',
];

const NETWORKS = ['ETHEREUM', 'BSC'];

/** Money can be sent over two networks; the responses with the addresses are held. */
async function openNetworks(page: Page): Promise<() => void> {
  let letGo: () => void = () => undefined;
  await page.route('**/currencies', async (route) => {
    const response = await route.fetch();
    const currencies = (await response.json()) as { code: string }[];
    await route.fulfill({
      response,
      json: currencies.map((currency) => ({
        ...currency,
        open_networks: currency.code === 'USDT' ? NETWORKS : [],
      })),
    });
  });
  await page.route('**/address/info*', async (route) => {
    const asked = new URL(route.request().url()).searchParams;
    const network = asked.get('currencyNetWork');
    const isFirst = network === NETWORKS[0];
    if (!isFirst)
      await new Promise<void>((resolve) => {
        letGo = resolve;
      });
    const address = `0x${(isFirst ? 'ab' : 'cd').repeat(20)}`;
    const terms = {
      contract_address: `0x${'12'.repeat(20)}`,
      min_deposit: '1',
      required_confirmations: 12,
      estimated_seconds: 180,
    };
    await route.fulfill({
      json: {
        currency: asked.get('currency'),
        currency_network: network,
        network_name: network,
        address,
        uri: `ethereum:${address}`,
        ...terms,
      },
    });
  });
  return () => letGo();
}

const SIZES = {
  narrow: { viewport: { width: 390, height: 844 } },
  wide: { viewport: { width: 1280, height: 860 } },
} as const satisfies Record<string, BrowserContextOptions>;

describe.each(Object.entries(SIZES))('on a %s screen', (_, options) => {
  test.each([
    ['/', 'Sign in'],
    ['/?ref=ABCDEFGH', 'Create your account'],
    ['/?ref={code}', 'Create your account'],
    ['/authorize?interaction_id=unknown', texts.signIn.overTitle],
  ])('%s stands still', async (path, heading) => {
    const { close, page } = await stage.open(options);
    const shifts = await watchShifts(page);
    await page.goto(path.replace('{code}', code));
    await page.getByRole('heading', { name: heading }).waitFor();
    await settle(page);
    expect(await shifts()).toEqual([]);
    await close();
  });

  test('no other page shifts while it loads', async () => {
    const { close, page } = await stage.openAs(seeded.person, options);
    const shifts = await watchShifts(page);
    for (const path of PAGES.filter((page) => page !== '/')) {
      await page.goto(pathOf(path, seeded));
      await page.locator('main h1').waitFor();
      await settle(page);
      expect(await shifts(), path).toEqual([]);
    }
    await close();
  });

  test('the address of another network replaces the previous one without a shift', async () => {
    const { close, page } = await stage.openAs(newcomer, options);
    const letGo = await openNetworks(page);
    const shifts = await watchShifts(page);
    await page.goto('/deposits');
    await page.getByText(`0x${'ab'.repeat(20)}`).waitFor();
    await settle(page);
    const asked = page.waitForRequest(/currencyNetWork=BSC/);
    await page.getByLabel('Network').selectOption('BSC');
    await asked;
    await page.getByText(`0x${'ab'.repeat(20)}`).waitFor({ state: 'hidden' });
    expect(await page.getByRole('button', { name: 'Copy address' }).count()).toBe(0);
    await draw(page);
    letGo();
    await page.getByText(`0x${'cd'.repeat(20)}`).waitFor();
    await settle(page);
    expect(await shifts()).toEqual([]);
    await close();
  });

  test.each([
    ['a new user', () => newcomer],
    ['a user with devices', () => seeded.person],
  ])('the overview of %s does not shift, whichever response comes last', async (_who, person) => {
    const { close, page } = await stage.openAs(person(), options);
    await page.getByRole('heading', { name: 'Balances' }).waitFor();
    const shifts = await watchShifts(page);
    for (const late of ANSWERS) {
      let release: () => void = () => undefined;
      const isReleased = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route(`**${late}`, async (route) => {
        await isReleased;
        await route.continue();
      });
      const others = Promise.all(
        ANSWERS.filter((path) => path !== late).map((path) => page.waitForResponse(`**${path}`)),
      );
      await page.reload();
      await others;
      await draw(page);
      release();
      await page.getByRole('heading', { name: 'Balances' }).waitFor();
      await settle(page);
      expect(await shifts(), `${late} last`).toEqual([]);
      await page.unroute(`**${late}`);
    }
    await close();
  });
});
