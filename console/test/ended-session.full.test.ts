/**
 * A session that ends while its page is open: the stream reports it, and requests are refused only
 * if the stream could not.
 */
import type { Request } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { expectOk } from '../../service/test/demo/http-client.ts';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { refuseOnce } from './support/focus.ts';
import { waitUntilLoaded } from './support/pages.ts';
import {
  type Account,
  openOperator,
  payRewards,
  signInByApi,
  signUpByApi,
} from './support/seed.ts';
import { newPerson, openSecurity, type Person, signIn } from './support/user-flows.ts';
import type { WatchedWindow } from './support/watched-page.ts';

const stage = startBrowserFixture();
let person: Person;
let account: Account;
let window: WatchedWindow;

beforeEach(async () => {
  person = newPerson();
  account = await signUpByApi(stage.service.baseUrl, person);
  window = await stage.openAs(person);
  await window.page.getByRole('status').getByText('Live').waitFor({ state: 'attached' });
  return () => window.close();
});

function endSessions(): Promise<unknown> {
  return expectOk(`${stage.service.baseUrl}/user/logout`, {
    token: account.accessToken,
    body: { id: account.userId, everywhere: true },
  });
}

test('the page returns to the sign-in without further requests', async () => {
  await endSessions();
  await window.page.getByLabel('Email').waitFor();
  await window.page.getByRole('status').getByText('You were signed out everywhere.').waitFor();
  expect(window.consoleErrors).toEqual([]);
});

test('an offline page learns of it by at most one refused request', async () => {
  // A page that is still loading has not shown yet that it is offline.
  await waitUntilLoaded(window.page);
  await window.untilRequestsEnd();
  await window.context.setOffline(true);
  await window.page.getByRole('status').getByText('Catching up').waitFor();
  await endSessions();
  await window.context.setOffline(false);
  await window.page.getByLabel('Email').waitFor();
  await window.page.getByRole('status').getByText('You were signed out everywhere.').waitFor();
  // None, if the stream had time to report it.
  expect(['', 'refused: 401 GET /me/events']).toContain(window.consoleErrors.join());
});

test('a conversion draft survives a new sign-in, with all decimals', async () => {
  const { page } = window;
  await payReward();
  await page.goto('/wallets/convert');
  await page.getByLabel('Amount').fill('1.234567890123456780');
  await page.getByLabel('Into').selectOption('ETH');
  await endSessions();
  await page.getByRole('status').getByText('You were signed out everywhere.').waitFor();
  await signIn(page, stage.service.baseUrl, person);
  expect(await page.getByLabel('Amount').inputValue()).toBe('1.234567890123456780');
  // The list of currencies loads later.
  await expect.poll(() => page.getByLabel('Into').inputValue()).toBe('ETH');
  await page.reload();
  expect(await page.getByLabel('Amount').inputValue()).toBe('1.234567890123456780');
});

/** A change of a wallet invalidates everything that is shown. */
async function payReward(): Promise<void> {
  const reward = { amount: '10', reward_type: 'BONUS', event_at: new Date().toISOString() };
  await payRewards(await openOperator(stage.service), account.userId, [reward]);
}

/** Triggers a reload of the list of sessions. @returns the request that waits for its answer */
async function askForSessions(): Promise<Request> {
  const isAsked = window.page.waitForRequest('**/me/sessions');
  await payReward();
  return isAsked;
}

test('signing out aborts reads; if it fails they are sent again', async () => {
  const { page, expectRefused } = window;
  await openSecurity(page);
  const ends = page.getByRole('button', { name: /^End .*, 127/ });
  await ends.first().waitFor();
  const before = await ends.count();
  await signInByApi(stage.service.baseUrl, person);
  const isGivenUp = (asked: Request) =>
    page.waitForEvent('requestfailed', (request) => request === asked);
  const never = (): void => undefined;
  await page.route('**/me/sessions', never, { times: 1 });
  const isFirstGivenUp = isGivenUp(await askForSessions());
  await refuseOnce(page, 'POST **/user/logout', 503, 'unavailable');
  const signOut = page.getByRole('button', { name: 'Sign out' });
  await signOut.click();
  await isFirstGivenUp;
  await page.getByRole('alert').getByText('cannot answer right now').waitFor();
  expectRefused('503 POST /user/logout');
  // The new sign-in is in the reloaded list.
  await ends.nth(before).waitFor();

  // While the service still accepts requests: when it learns of the end, no request is waiting that
  // it would refuse.
  await page.route('**/me/sessions', never);
  const isSecondGivenUp = isGivenUp(await askForSessions());
  await page.route('**/user/logout', async (route) => {
    await isSecondGivenUp;
    await route.continue();
  });
  await signOut.click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(window.consoleErrors).toEqual([]);
});
