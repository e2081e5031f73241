/**
 * A person turns notifications on in this browser, and a message of the service is shown there by
 * the real service worker: the service encrypts it, the push service of the tests decrypts it, and
 * the browser delivers it to the worker.
 *
 * Stubbed, because the Chromium of the tests has no push service and, without a window, refuses
 * notifications to every page: the answers of `Notification.permission`, `requestPermission()` and
 * `PushManager.subscribe()` in the page, and `showNotification()` in the worker. A press on a
 * notification comes from the system, so the test hands the worker an event of the same form.
 */
import type { CDPSession, Page, Worker } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transaction } from '../../service/src/db/index.ts';
import { recordEvent } from '../../service/src/events/index.ts';
import { systemClock } from '../../service/src/lib/clock.ts';
import {
  type PushBrowser,
  type PushService,
  startPushService,
} from '../../service/test/support/push-service.ts';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { openPage } from './support/pages.ts';
import { signUpByApi } from './support/seed.ts';
import { texts } from './support/texts.ts';
import { newPerson } from './support/user-flows.ts';
import {
  findAccessibilityProblems,
  findOverflow,
  type WatchedWindow,
} from './support/watched-page.ts';

const stage = startBrowserFixture({ OUTGOING_LOOPBACK: 'allow' });
const { push, kind, channel, switchOf } = texts.notifications;
const ada = newPerson('Ada');
const WAIT = { timeout: 30_000 };
let userId: number;
let service: PushService;
let browser: PushBrowser;
let window: WatchedWindow;
let page: Page;

/** What the page finds in a browser that has a push service. */
function stubPush(subscription: PushBrowser['subscription']): void {
  const place = globalThis as unknown as { isBlocked?: boolean };
  const answer = (): NotificationPermission => (place.isBlocked ? 'denied' : 'granted');
  Object.defineProperty(Notification, 'permission', { get: answer });
  Notification.requestPermission = async () => answer();
  const KEY = 'test-is-subscribed';
  const subscribed = {
    toJSON: () => ({ ...subscription, expirationTime: null }),
    unsubscribe: async () => {
      localStorage.removeItem(KEY);
      return true;
    },
  };
  PushManager.prototype.subscribe = async () => {
    localStorage.setItem(KEY, 'yes');
    return subscribed as unknown as PushSubscription;
  };
  PushManager.prototype.getSubscription = async () =>
    localStorage.getItem(KEY) === null ? null : (subscribed as unknown as PushSubscription);
}

const here = () => page.getByRole('switch', { name: push.here });
const isSubscribed = () => page.evaluate(() => localStorage.getItem('test-is-subscribed') !== null);
const findWorkers = () =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
const answered = (method: string, path: RegExp) =>
  page.waitForResponse(
    (response) => response.request().method() === method && path.test(response.url()),
  );

async function happen(): Promise<void> {
  await transaction(stage.service.database, (tx) =>
    recordEvent(tx, systemClock, {
      ...{ userId, type: 'deposit.credited' },
      data: { id: 1, amount: '12.5', currency: 'USDT' },
    }),
  );
}

interface Shown {
  readonly title: string;
  readonly options: { readonly body: string; readonly tag: string; readonly data: string };
}

/** Keeps what the worker shows. */
async function watchWorker(worker: Worker): Promise<() => Promise<Shown[]>> {
  await worker.evaluate(() => {
    const place = globalThis as unknown as {
      shown: Shown[];
      registration: ServiceWorkerRegistration;
    };
    place.shown = [];
    place.registration.showNotification = async (title, options) => {
      place.shown.push({ title, options: options as Shown['options'] });
    };
  });
  return () => worker.evaluate(() => (globalThis as unknown as { shown: Shown[] }).shown);
}

async function deliver(cdp: CDPSession, data: string): Promise<void> {
  const origin = new URL(stage.service.baseUrl).origin;
  const found = new Promise<string>((resolve) =>
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const last = registrations.findLast(({ isDeleted }) => !isDeleted);
      if (last) resolve(last.registrationId);
    }),
  );
  await cdp.send('ServiceWorker.enable');
  const registrationId = await found;
  await cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
}

beforeAll(async () => {
  service = await startPushService(() => systemClock.now());
  browser = service.open();
  ({ userId } = await signUpByApi(stage.service.baseUrl, ada));
  window = await stage.openAs(ada);
  page = window.page;
  await page.addInitScript(stubPush, browser.subscription);
});
afterAll(async () => {
  await service.close();
  await window.close();
  expect(window.consoleErrors).toEqual([]);
  expect(service.problems).toEqual([]);
});

test('nothing is loaded before it is turned on, and a blocked browser is named', async () => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.addInitScript(() => Object.assign(globalThis, { isBlocked: location.hash === '#no' }));
  await openPage(page, '/notifications#no');
  await page.reload();
  await page.getByText(push.blocked).waitFor();
  expect(await here().count()).toBe(0);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  expect(await findOverflow(page)).toEqual([]);
  await openPage(page, '/notifications');
  await page.reload();
  await here().waitFor();
  expect(await here().isChecked()).toBe(false);
  expect(await findWorkers()).toBe(0);
});

test('a browser that is turned on shows what is pushed, in words', async () => {
  await Promise.all([answered('POST', /push-subscriptions$/), here().press('Space')]);
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: push.thisOne });
  await row.waitFor();
  expect(await here().isChecked()).toBe(true);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  expect(await findOverflow(page)).toEqual([]);
  const deposits = switchOf.replace('{{kind}}', kind.deposit).replace('{{channel}}', channel.push);
  expect(await page.getByRole('switch', { name: deposits }).isChecked()).toBe(true);

  await happen();
  await expect.poll(() => browser.received.length, WAIT).toBe(1);
  const text = browser.received[0]?.text ?? '';
  const [worker] = window.context.serviceWorkers();
  if (!worker) throw new Error('no worker runs');
  const shown = await watchWorker(worker);
  await deliver(await window.context.newCDPSession(page), text);
  await expect.poll(shown, WAIT).toMatchObject([
    {
      title: expect.any(String),
      options: { body: 'A deposit of 12.5 USDT was credited', data: '/deposits' },
    },
  ]);
});

test('a press on a notification leads the open page there', async () => {
  const [worker] = window.context.serviceWorkers();
  await worker?.evaluate(() => {
    const press = new Event('notificationclick');
    Object.assign(press, {
      notification: { data: '/deposits', close: () => {} },
      // The focus of a window needs the press of a person, which this is not.
      waitUntil: (done: Promise<void>) => done.catch(() => undefined),
    });
    dispatchEvent(press);
  });
  await page.waitForURL('**/deposits');
});

test('another browser of the user can be cut off', async () => {
  const { endpoint, keys } = service.open().subscription;
  await stage.service.database.query(
    `insert into push_subscription
       (user_id, sid, endpoint_hash, target_sealed, sealed, language, created_at)
     select user_id, 'another', sha256($1::bytea), target_sealed, sealed, language, created_at
     from push_subscription where user_id = $2`,
    [endpoint + keys.auth, userId],
  );
  await openPage(page, '/notifications');
  const rows = page.getByRole('main').getByRole('listitem');
  const remove = rows.getByRole('button', { name: push.remove.replace('{{program}}', '') });
  await Promise.all([answered('DELETE', /push-subscriptions/), remove.click()]);
  await remove.waitFor({ state: 'detached' });
  expect(await here().isChecked()).toBe(true);
});

test('a browser that is turned off, or cut off from elsewhere, keeps nothing', async () => {
  await Promise.all([answered('DELETE', /push-subscriptions/), here().press('Space')]);
  await expect.poll(() => here().isChecked(), WAIT).toBe(false);
  await expect.poll(isSubscribed, WAIT).toBe(false);
  expect(await findWorkers()).toBe(0);
  await Promise.all([answered('POST', /push-subscriptions$/), here().press('Space')]);
  await expect.poll(() => here().isChecked(), WAIT).toBe(true);
  await stage.service.database.query('delete from push_subscription');
  await openPage(page, '/notifications');
  expect(await here().isChecked()).toBe(false);
});

test('a later session of its user keeps the browser, one of another user does not', async () => {
  await Promise.all([answered('POST', /push-subscriptions$/), here().press('Space')]);
  await expect.poll(() => here().isChecked(), WAIT).toBe(true);
  const change = (fields: object) =>
    page.evaluate((changed) => {
      const kept = JSON.parse(localStorage.getItem('edge-push') ?? '{}');
      localStorage.setItem('edge-push', JSON.stringify({ ...kept, ...changed }));
    }, fields);
  await change({ sid: 'of the session before' });
  await Promise.all([answered('PUT', /push-subscriptions/), page.reload()]);
  await expect.poll(() => here().isChecked(), WAIT).toBe(true);
  await change({ subject: 'another user' });
  await page.reload();
  await expect.poll(isSubscribed, WAIT).toBe(false);
  expect(await here().isChecked()).toBe(false);
});

test('a sign-out ends notifications in this browser, on the service too', async () => {
  await Promise.all([answered('POST', /push-subscriptions$/), here().press('Space')]);
  await expect.poll(() => here().isChecked(), WAIT).toBe(true);
  await openPage(page, '/security');
  await page.getByRole('main').getByRole('button', { name: texts.security.signOut }).click();
  await page.getByLabel(texts.signIn.email).waitFor();
  await expect.poll(isSubscribed, WAIT).toBe(false);
  const { rowCount } = await stage.service.database.query('select from push_subscription');
  expect(rowCount).toBe(0);
});
