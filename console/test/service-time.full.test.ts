/** A device whose clock is wrong: the page follows the time of the service. */
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectOk } from '../../service/test/demo/http-client.ts';
import { closeWithoutErrors, startBrowserFixture } from './support/browser-fixture.ts';
import { addDevice, openOperator, payRewards, setPrice, signUpByApi } from './support/seed.ts';
import { newPerson, overview, signIn } from './support/user-flows.ts';
import type { WatchedWindow } from './support/watched-page.ts';

const stage = startBrowserFixture();
const person = newPerson();
const DAY_MS = 86_400_000;
const OFFER_HOLDS_S = 60;
let window: WatchedWindow;
let page: Page;

beforeAll(async () => {
  const operator = await openOperator(stage.service);
  const { userId, accessToken } = await signUpByApi(stage.service.baseUrl, person);
  const { nodeId } = await addDevice(stage.service.baseUrl, accessToken, {
    device_type: 'TERMINAL',
    browser: 'Edge Terminal',
    os: 'Debian 13',
  });
  await expectOk(`${stage.service.baseUrl}/me/devices/${nodeId}/disconnect`, {
    method: 'POST',
    token: accessToken,
  });
  await setPrice(operator, 'EDGE', '0.1825');
  const earned = (days: number, amount: string) => ({
    amount,
    reward_type: 'BONUS',
    event_at: new Date(Date.now() - days * DAY_MS).toISOString(),
  });
  await payRewards(operator, userId, [earned(0, '20.5'), earned(1, '19.25')]);
});
afterEach(() => closeWithoutErrors(window));

/** Opens a page on a device whose clock differs from the service by this much. */
async function openWithClock(path: string, ahead_ms: number): Promise<void> {
  window = await stage.open();
  page = window.page;
  await page.addInitScript((ahead) => {
    const { now } = Date;
    globalThis.Date = class extends Date {
      constructor(...given: [] | [string]) {
        super(...((given.length === 0 ? [now() + ahead] : given) as [number]));
      }
      static override now = (): number => now() + ahead;
    } as DateConstructor;
  }, ahead_ms);
  await page.goto(path);
  await signIn(page, stage.service.baseUrl, person);
}

describe.each([
  ['a little fast', 300_000],
  ['more than a day fast', 26 * 3_600_000],
  ['more than a day slow', -26 * 3_600_000],
])('a clock that is %s', (_, ahead_ms) => {
  test('a quote is valid by the clock of the service, and is accepted', async () => {
    await openWithClock('/wallets/convert', ahead_ms);
    await page.getByLabel('Amount').fill('1');
    await page.getByLabel('Into').selectOption('USDT');
    await page.getByRole('button', { name: 'See the offer' }).click();
    const told = await page
      .getByRole('timer')
      .getByText(/^The offer expires in /)
      .textContent();
    const seconds = Number(/\d+/.exec(told?.replaceAll(',', '') ?? '')?.[0]);
    expect(seconds).toBeLessThanOrEqual(OFFER_HOLDS_S + 1);
    expect(seconds).toBeGreaterThan(OFFER_HOLDS_S / 2);
    await page.getByRole('button', { name: 'Convert now' }).click();
    await page.getByText('arrived in your asset wallet').waitFor();
  });

  test('the days of the overview and its chart are those of the service', async () => {
    const day = () => new Date().toISOString().slice(0, 10);
    const before = day();
    await openWithClock('/', ahead_ms);
    await overview(page).waitFor();
    const hero = page.getByRole('region', { name: 'Your earnings' });
    await hero.getByText('20.5').waitFor();
    const shown = await hero.locator('time').first().getAttribute('dateTime');
    expect([before, day()]).toContain(shown);
    const slider = page.getByRole('slider', { name: 'Earnings by day' });
    await slider.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowRight');
    expect(await slider.getAttribute('aria-valuetext')).toContain('20.5');
  });
});

test('a recent event is shown as just now', async () => {
  await openWithClock('/devices', 26 * 3_600_000);
  const since = page.getByRole('button', { name: /Edge Terminal/ }).locator('time');
  expect(await since.textContent()).toMatch(/^(now|[1-4] minutes? ago)$/);
});

test('when the day ends, an open overview changes to the next day', async () => {
  await openWithClock('/', 0);
  await overview(page).waitFor();
  const day = new Date().toISOString().slice(0, 10);
  const next = new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
  const today = page.getByRole('region', { name: 'Your earnings' }).locator('time').first();
  expect(await today.getAttribute('dateTime')).toBe(day);
  await page.route(/\/(dashboard\/.*|me\/devices|me|currencies)(\?.*)?$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      headers: { ...response.headers(), date: new Date(`${next}T00:00:05Z`).toUTCString() },
    });
  });
  await expect.poll(() => today.getAttribute('dateTime')).toBe(next);
});
