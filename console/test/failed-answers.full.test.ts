/**
 * One request of a page fails: its part shows an error with a retry button, the other parts load,
 * and no request repeats without end.
 */
import type { Page, Route } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { addDevice, type Operator, openOperator, payRewards, signUpByApi } from './support/seed.ts';
import { newPerson } from './support/user-flows.ts';

const stage = startBrowserFixture();
const person = newPerson();
let page: Page;

beforeAll(async () => {
  const account = await signUpByApi(stage.service.baseUrl, person);
  const operator: Operator = await openOperator(stage.service);
  await addDevice(stage.service.baseUrl, account.accessToken, {
    device_type: 'EXTENSION',
    browser: 'Chrome',
    os: 'Windows 11',
  });
  await payRewards(operator, account.userId, [
    { amount: '12.5', reward_type: 'BONUS', event_at: new Date().toISOString() },
  ]);
  page = (await stage.openAs(person)).page;
  await page.clock.install();
});

interface Refusals {
  count(): number;
  mend(): Promise<void>;
}

async function refuse(
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Refusals> {
  let count = 0;
  const answer = async (route: Route): Promise<void> => {
    count++;
    await route.fulfill({
      status: 503,
      headers,
      contentType: 'application/problem+json',
      body: JSON.stringify({ status: 503, code: 'unavailable' }),
    });
  };
  await page.route(`**${path}`, answer);
  return { count: () => count, mend: () => page.unroute(`**${path}`, answer) };
}

const failure = () =>
  page.getByRole('main').getByRole('alert').filter({ hasText: 'cannot answer' });

/** Longer than a request that repeats each second would need to be seen. */
const WATCHED_MS = 1500;

async function expectRest({ count }: Refusals): Promise<void> {
  const before = count();
  for (let look = 0; look < 3; look++) {
    await page.clock.fastForward(WATCHED_MS);
    // Requests caused by the passed time were sent before this.
    await page.evaluate(() => fetch('/healthz'));
  }
  expect(count()).toBe(before);
}

/** Each request of a page, and headings that do not depend on it. */
const PARTS = [
  ['/', '/dashboard/earnings*', ['Balances', 'Network rewards', 'Earned today']],
  ['/', '/dashboard/network-rewards', ['Balances', 'Earnings by day']],
  ['/', '/dashboard/overview', ['Network rewards', 'Earnings by day']],
  ['/', '/currencies', ['Network rewards', 'Balances']],
  ['/wallets', '/account/asset*', ['Balances', 'Activity']],
  ['/people', '/community/summary', ['Invite people']],
  ['/security', '/me/sessions', ['Second factors', 'Connected applications']],
] as const;

describe('one request fails', () => {
  test.each(PARTS)('on %s: %s', async (path, answer, others) => {
    const refusals = await refuse(answer);
    await page.goto(path);
    await failure().first().waitFor();
    for (const name of others)
      await page.getByRole('main').getByRole('heading', { name }).waitFor();
    expect(await page.getByRole('main').getByRole('status', { name: 'Loading' }).count()).toBe(0);
    await expectRest(refusals);
    await refusals.mend();
    // Several parts may have needed the failed request, each with a retry button that disappears
    // with the error.
    const again = failure().first().getByRole('button', { name: 'Try again' });
    await again.click();
    await expect
      .poll(async () => {
        if ((await again.count()) > 0) await again.click({ timeout: 1000 }).catch(() => undefined);
        return failure().count();
      })
      .toBe(0);
  });
});

test('after 429 the message shows the time to wait, and no request is sent before', async () => {
  const refusals = await refuse('/dashboard/network-rewards', { 'retry-after': '60' });
  await page.goto('/');
  await failure().getByText('try again in 60 seconds').waitFor();
  await expectRest(refusals);
  expect(refusals.count()).toBe(1);
});
