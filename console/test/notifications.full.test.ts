/** A person sees what happened and what was missed, and chooses which notifications come. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { transaction } from '../../service/src/db/index.ts';
import { type EventType, recordEvent } from '../../service/src/events/index.ts';
import { systemClock } from '../../service/src/lib/clock.ts';
import { closeWithoutErrors, startBrowserFixture } from './support/browser-fixture.ts';
import { openPage } from './support/pages.ts';
import { signUpByApi } from './support/seed.ts';
import { texts } from './support/texts.ts';
import { newPerson } from './support/user-flows.ts';
import {
  findAccessibilityProblems,
  findOverflow,
  type WatchedWindow,
} from './support/watched-page.ts';

const stage = startBrowserFixture();
const { notifications, shell } = texts;
const ada = newPerson('Ada');
let userId: number;
let window: WatchedWindow;
let page: Page;

const bell = (name: string) => page.getByRole('link', { name, exact: true });
const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');

async function happen(type: EventType, data: object): Promise<void> {
  await transaction(stage.service.database, (tx) =>
    recordEvent(tx, systemClock, { userId, type, data: { ...data } }),
  );
}

beforeAll(async () => {
  ({ userId } = await signUpByApi(stage.service.baseUrl, ada));
  window = await stage.openAs(ada);
  page = window.page;
  return () => closeWithoutErrors(window);
});

test('nothing has happened, and the page says so', async () => {
  await page.setViewportSize({ width: 320, height: 640 });
  await bell(shell.bell).click();
  await page.getByText(notifications.none).waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  expect(await findOverflow(page)).toEqual([]);
});

test('the bell counts live, and the list leads to what it is about', async () => {
  await openPage(page, '/people');
  await happen('deposit.credited', { id: 1, amount: '1250.123456', currency: 'USDT' });
  await happen('security.new_sign_in', { user_id: userId });
  await bell(fill(shell.bellUnread_other, { count: '2' })).click();
  const entries = page.getByRole('main').getByRole('listitem');
  const arrived = fill(notifications.message.deposit_credited, { amount: '1,250.12\u00a0USDT' });
  await entries.getByText(arrived).waitFor();
  expect(await entries.getByText(notifications.new, { exact: true }).count()).toBe(2);
  // It was seen: the count is gone, here and after a reload.
  await bell(shell.bell).waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  expect(await findOverflow(page)).toEqual([]);
  await entries.first().getByRole('link').click();
  await page.waitForURL('**/security');
  await page.reload();
  await bell(shell.bell).waitFor();
});

test('choices are saved at once, and hold', async () => {
  await openPage(page, '/notifications');
  const { deposit } = notifications.kind;
  const { bell: inList } = notifications.channel;
  const name = fill(notifications.switchOf, { kind: deposit, channel: inList });
  const choice = page.getByRole('switch', { name });
  const saved = () => page.waitForResponse((response) => response.request().method() === 'PUT');
  await Promise.all([saved(), choice.press('Space')]);
  await Promise.all([
    saved(),
    page.getByLabel(notifications.offlineAfter).selectOption({ value: '30' }),
  ]);
  await openPage(page, '/notifications');
  expect(await choice.isChecked()).toBe(false);
  expect(await page.getByLabel(notifications.offlineAfter).inputValue()).toBe('30');
  await happen('deposit.credited', { id: 2, amount: '1', currency: 'USDT' });
  await happen('payout.failed', { id: 3, amount: '7', currency: 'USDT' });
  const failed = fill(notifications.message.payout_failed, { amount: '7.00\u00a0USDT' });
  await page.getByText(failed).waitFor();
  expect(await page.getByRole('main').getByRole('listitem').count()).toBe(3);
});
