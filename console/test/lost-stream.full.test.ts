/**
 * The event stream is lost because the connection or the service fails; the page shows it
 * unobtrusively, and catches up.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, type TestBrowser } from '../../service/test/support/browser.ts';
import { findFreePort } from '../../service/test/support/postgres-server.ts';
import { type ServiceProcess, startService } from '../../service/test/support/service-process.ts';
import { type CutLine, openCutLine } from './support/dropping-proxy.ts';
import { openOperator, payRewards, signUpByApi } from './support/seed.ts';
import { newPerson, signIn } from './support/user-flows.ts';
import { openWindow, type WatchedWindow } from './support/watched-page.ts';

let service: ServiceProcess;
let browser: TestBrowser;
let line: CutLine;
let window: WatchedWindow;
let page: Page;
/** Pays directly at the service, not through the proxy. */
let pay: (amount: string) => Promise<void>;

beforeAll(async () => {
  const [publicPort, ownPort] = [await findFreePort(), await findFreePort()];
  line = await openCutLine(publicPort, ownPort);
  [service, browser] = await Promise.all([
    startService({ PORT: String(ownPort), BASE_URL: `http://localhost:${publicPort}` }),
    openBrowser(),
  ]);
  const person = newPerson();
  const { userId } = await signUpByApi(service.baseUrl, person);
  const operator = await openOperator({
    baseUrl: `http://127.0.0.1:${ownPort}`,
    dataDir: service.dataDir,
  });
  pay = (amount) =>
    payRewards(operator, userId, [
      { amount, reward_type: 'BONUS', event_at: new Date().toISOString() },
    ]);
  await pay('1');
  window = await openWindow(browser.browser, service.baseUrl);
  page = window.page;
  await page.goto('/wallets?wallet=bonus');
  await signIn(page, service.baseUrl, person);
  await bills().getByRole('button').first().waitFor();
  await sign('Live').waitFor({ state: 'attached' });
});
afterAll(async () => {
  await browser?.close();
  line?.close();
  await service?.dispose();
});

const bills = () => page.getByRole('list', { name: 'Activity' });
const sign = (text: string) => page.getByRole('banner').getByRole('status').getByText(text);

/** The last known values stay, without an alert. */
async function expectCalm(): Promise<void> {
  await sign('Catching up').waitFor();
  expect(await bills().getByRole('button').count()).toBeGreaterThan(0);
  expect(await page.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(0);
}

test('after a lost connection the page shows what was paid in the meantime', async () => {
  line.cut();
  await expectCalm();
  await pay('0.000000000000000777');
  expect(await bills().getByRole('button').getByText('000000000777').count()).toBe(0);
  line.mend();
  await bills().getByRole('button').getByText('000000000777').waitFor();
  await sign('Live').waitFor({ state: 'attached' });
  expect(window.consoleErrors).toEqual([]);
});

/** The visibility that the browser reports for a background or foreground tab. */
async function show(isSeen: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, !isSeen);
}

test('a hidden page closes its stream, and catches up when it is visible', async () => {
  await show(false);
  await sign('Catching up').waitFor({ state: 'attached' });
  await pay('0.000000000000000555');
  const taken = page.waitForRequest('**/me/events');
  await show(true);
  await taken;
  await bills().getByText('000000000555').waitFor();
  await sign('Live').waitFor({ state: 'attached' });
  // A tab that is hidden only for a moment loses nothing.
  await show(false);
  await show(true);
  await pay('0.000000000000000444');
  await bills().getByText('000000000444').waitFor();
  expect(window.consoleErrors).toEqual([]);
});

test('a page that cannot load shows the lost connection, and loads when it is back', async () => {
  line.cut();
  await page.getByRole('link', { name: 'Devices' }).click();
  await page.getByRole('alert').getByText('The service cannot be reached.').waitFor();
  line.mend();
  await page.getByText('No devices yet').waitFor();
  await page.getByRole('link', { name: 'Wallets' }).click();
  await page.getByRole('radio', { name: 'Rewards' }).click();
  await bills().getByRole('button').first().waitFor();
  await sign('Live').waitFor({ state: 'attached' });
  expect(window.consoleErrors).toEqual([]);
});

test('after the service was killed and restarted the page continues by itself', async () => {
  await service.kill();
  await expectCalm();
  await service.start();
  await pay('0.000000000000000888');
  await bills().getByText('000000000888').waitFor();
  await sign('Live').waitFor({ state: 'attached' });
  expect(window.consoleErrors).toEqual([]);
});
