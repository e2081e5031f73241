/**
 * A session that ends while its page is open: the stream says so, and only where it could not is
 * anything refused.
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

test('an offline page learns of it by one refused request at most', async () => {
  // A page that still loads has not shown that it is offline.
  await waitUntilLoaded(window.page);
  await window.untilRequestsEnd();
  await window.context.setOffline(true);
  await window.page.getByRole('status').getByText('Catching up').waitFor();
  await endSessions();
  await window.context.setOffline(false);
  await window.page.getByLabel('Email').waitFor();
  await window.page.getByRole('status').getByText('You were signed out everywhere.').waitFor();
  // None where the stream still had time to say it.
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
  // The currencies to choose from come later.
  await expect.poll(() => page.getByLabel('Into').inputValue()).toBe('ETH');
  await page.reload();
  expect(await page.getByLabel('Amount').inputValue()).toBe('1.234567890123456780');
});

/** What moves in a wallet makes all that is shown old. */
async function payReward(): Promise<void> {
  const reward = { amount: '10', reward_type: 'BONUS', event_at: new Date().toISOString() };
  await payRewards(await openOperator(stage.service), account.userId, [reward]);
}

/** Has the list of sessions asked for again. @returns the request that waits for its answer */
async function askForSessions(): Promise<Request> {
  const isAsked = window.page.waitForRequest('**/me/sessions');
  await payReward();
  return isAsked;
}

test('a sign-out aborts reads; if it fails they are sent again', async () => {
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
  // The sign-in of meanwhile is in what was read again.
  await ends.nth(before).waitFor();

  // With the service willing: before it hears of it nothing waits any more for what it would
  // refuse.
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
