/**
 * Nothing shifts while a page loads: measured by layout shifts of the browser, with responses in
 * the worst order.
 */
import type { BrowserContextOptions, Page, Route } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGES } from '../src/i18n/languages.ts';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { catalogueOf } from './support/catalogues.ts';
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
  '/me/rewards/schedule',
  '/account/asset',
  '/community/summary',
  '/dashboard/network-rewards',
  '/dashboard/earnings*',
  '/currencies',
];

const amount = (value: string, currency = 'EDGE') => ({ currency, amount: value });

/** Everything that the head of the overview can show: accrued rewards, another currency, prices. */
const RICHEST = {
  '**/dashboard/overview': {
    accrued: [amount('1234.567891234567891234')],
    today_earnings: [amount('987.654321'), amount('12.5', 'USDT')],
    yesterday_earnings: [amount('1234.567'), amount('7.25', 'USDT')],
    total_earnings: [amount('98765.4321'), amount('125', 'USDT')],
  },
  '**/me/rewards/schedule': {
    ...{ is_paying: true, has_uptime: true, has_traffic: true, has_referral: true, period: 'day' },
    next_payment_at: new Date(Date.now() + 50_000_000).toISOString(),
    settled_until: new Date(Date.now() - 3_600_000).toISOString(),
  },
};

async function answerRichly(page: Page): Promise<void> {
  for (const [path, rich] of Object.entries(RICHEST))
    await page.route(path, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), ...rich } });
    });
}

/** A phone network of the third generation, without a cache. */
async function slowDown(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 200_000,
    uploadThroughput: 90_000,
  });
}

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
    ['a new user', () => newcomer, false],
    ['a user with devices', () => seeded.person, false],
    ['a user with every figure', () => seeded.person, true],
  ])('the overview of %s does not shift, whichever response comes last', async (...given) => {
    const [, person, isRich] = given;
    const { close, page } = await stage.openAs(person(), options);
    await page.getByRole('heading', { name: 'Balances' }).waitFor();
    if (isRich) await answerRichly(page);
    const shifts = await watchShifts(page);
    for (const late of ANSWERS) {
      let release: () => void = () => undefined;
      const isReleased = new Promise<void>((resolve) => {
        release = resolve;
      });
      const hold = async (route: Route): Promise<void> => {
        await isReleased;
        await route.fallback();
      };
      await page.route(`**${late}`, hold);
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
      await page.unroute(`**${late}`, hold);
    }
    await close();
  });

  test.each(Object.keys(LANGUAGES))(
    'in %s, every figure has its place on a slow network',
    async (tag) => {
      const { close, page } = await stage.openAs(seeded.person, options);
      await page.evaluate((language) => localStorage.setItem('edge-language', language), tag);
      await answerRichly(page);
      const shifts = await watchShifts(page);
      await slowDown(page);
      await page.reload();
      await page.getByRole('heading', { name: catalogueOf(tag).home.balances }).waitFor();
      await draw(page);
      expect(await shifts()).toEqual([]);
      await close();
    },
  );
});
