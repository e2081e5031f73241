/**
 * The response to "Convert now" is lost: nothing is converted twice, and the page shows the result.
 */
import type { Page, Route } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { expectOk } from '../../service/test/demo/http-client.ts';
import { closeWithoutErrors, startBrowserFixture } from './support/browser-fixture.ts';
import { refuseOnce } from './support/focus.ts';
import { type Account, openOperator, payRewards, setPrice, signUpByApi } from './support/seed.ts';
import { texts } from './support/texts.ts';
import { newPerson } from './support/user-flows.ts';
import { findAccessibilityProblems, type WatchedWindow } from './support/watched-page.ts';

const stage = startBrowserFixture();
const CONVERT = '**/bonus-account/convert' as const;
const OFFER_HOLDS_MS = 6000;
let account: Account;
let window: WatchedWindow;
let page: Page;
/** When the quote expires, according to the response. */
let end_ms: number;

async function shorten(route: Route): Promise<void> {
  const answer = await route.fetch();
  end_ms = Date.now() + OFFER_HOLDS_MS;
  await route.fulfill({
    response: answer,
    json: { ...(await answer.json()), expires_at: new Date(end_ms).toISOString() },
  });
}

/** A user with 10 EDGE sees a quote for one of them that expires soon. */
beforeEach(async () => {
  const person = newPerson();
  account = await signUpByApi(stage.service.baseUrl, person);
  const operator = await openOperator(stage.service);
  await setPrice(operator, 'EDGE', '0.1825');
  await payRewards(operator, account.userId, [
    { amount: '10', reward_type: 'BONUS', event_at: new Date().toISOString() },
  ]);
  window = await stage.openAs(person);
  page = window.page;
  await page.route('**/bonus-account/convert/quote', shorten);
  await page.goto('/wallets/convert');
  await page.getByLabel('Amount').fill('1');
  await page.getByLabel('Into').selectOption('USDT');
  await page.getByRole('button', { name: 'See the offer' }).click();
  await page.getByText('You get').waitFor();
  return () => closeWithoutErrors(window);
});

/** Drops the response to the next attempt, after the quote has expired. */
async function cutOnce(reaches: boolean): Promise<void> {
  const cut = async (route: Route): Promise<void> => {
    if (reaches) await route.fetch();
    await page.waitForFunction((end) => Date.now() > end, end_ms);
    await route.abort('connectionreset');
  };
  await page.route(CONVERT, cut, { times: 1 });
}

async function convert(): Promise<void> {
  await page.getByRole('button', { name: 'Convert now' }).click();
  await page.getByRole('alert').getByText(texts.wallets.outcomeOpen).waitFor();
  expect(await page.getByText('has expired').count()).toBe(0);
}

async function readRewards(): Promise<number | undefined> {
  const accounts = await expectOk<{ currency: string; balance: number }[]>(
    `${stage.service.baseUrl}/bonus-account/info`,
    { token: account.accessToken },
  );
  return accounts.find(({ currency }) => currency === 'EDGE')?.balance;
}

const change = () => page.getByRole('button', { name: 'Change', exact: true });
const findOut = () => page.getByRole('button', { name: texts.wallets.findOut });

test('it was converted: the repeated request shows that, and converts no more', async () => {
  await cutOnce(true);
  await convert();
  // Another order would be a second conversion.
  expect(await change().isDisabled()).toBe(true);
  await page.goBack();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await findOut().click();
  await page.getByText('0.1825 USDT arrived in your asset wallet').waitFor();
  expect(await readRewards()).toBe(9);
});

test('a connection that ends within the response counts as no response', async () => {
  await page.evaluate(() => {
    const { json } = Response.prototype;
    Response.prototype.json = function () {
      if (!this.url.endsWith('/bonus-account/convert')) return json.call(this);
      Response.prototype.json = json;
      return Promise.reject(new TypeError('network error'));
    };
  });
  await convert();
  await findOut().click();
  await page.getByText('0.1825 USDT arrived in your asset wallet').waitFor();
  expect(await readRewards()).toBe(9);
});

test('it was not converted: the repeated request shows that, and offers a new quote', async () => {
  await cutOnce(false);
  await convert();
  await refuseOnce(page, `POST ${CONVERT}`, 409, 'quote_expired');
  await findOut().click();
  await page.getByRole('alert').getByText(texts.shell.problem.quote_expired).waitFor();
  window.expectRefused('409 POST /bonus-account/convert');
  await page.getByRole('button', { name: 'Convert now', disabled: true }).waitFor();
  await change().click();
  expect(await page.getByLabel('Amount').inputValue()).toBe('1');
  expect(await readRewards()).toBe(10);
});
