/** Operators read statements of the house, undo a transfer, and see settlements and price feeds. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { closeWithoutErrors, startBrowserFixture } from './support/browser-fixture.ts';
import { openOperatorPages } from './support/operator-journey.ts';
import { openOperator, payRewards, signUpByApi } from './support/seed.ts';
import { texts } from './support/texts.ts';
import { newPerson } from './support/user-flows.ts';
import {
  addVirtualAuthenticator,
  findAccessibilityProblems,
  findOverflow,
  untilNothingIsOpen,
  type WatchedWindow,
} from './support/watched-page.ts';

const stage = startBrowserFixture();
const { books, ledger, prices, settlements, statements, transfers, view } = texts.operator;
let window: WatchedWindow;
let page: Page;
let userId: number;

beforeAll(async () => {
  userId = (await signUpByApi(stage.service.baseUrl, newPerson('Grace'))).userId;
  const rewards = Array.from({ length: 25 }, (_, n) => ({
    amount: n === 0 ? '1.000000000000000001' : '2',
    reward_type: 'BONUS',
    event_at: new Date().toISOString(),
  }));
  await payRewards(await openOperator(stage.service), userId, rewards);
  window = await stage.open({ viewport: { width: 1440, height: 900 } });
  page = window.page;
  await addVirtualAuthenticator(page);
  await openOperatorPages(page, stage.service);
  return () => closeWithoutErrors(window);
});

async function expectSound(): Promise<void> {
  expect(await findAccessibilityProblems(page)).toEqual([]);
  expect(await findOverflow(page)).toEqual([]);
}

const openView = (name: string) => page.getByRole('link', { name, exact: true }).click();
const bills = () => page.getByRole('table', { name: statements.bills });
const openers = () => bills().locator('tbody td:nth-child(2) button');

test('operators have a layout of their own, with the way back', async () => {
  const navigation = page.getByRole('navigation', { name: texts.shell.nav.label });
  expect(await navigation.count()).toBe(0);
  const main = await page.getByRole('main').boundingBox();
  expect(main?.width).toBeGreaterThan(1400);
  await page.getByRole('link', { name: texts.operator.toAccount }).click();
  await navigation.waitFor();
  await navigation.getByRole('link', { name: texts.shell.nav.operator }).click();
  await navigation.waitFor({ state: 'detached' });
});

test('who was made an operator finds the way without loading the page again', async () => {
  const ada = newPerson('Ada');
  await signUpByApi(stage.service.baseUrl, ada);
  const own = await stage.openAs(ada);
  const navigation = own.page.getByRole('navigation', { name: texts.shell.nav.label });
  await navigation.getByRole('link', { name: texts.shell.nav.wallets }).waitFor();
  await stage.service.grantOperator(ada.email);
  const link = own.page.getByRole('link', { name: texts.shell.nav.operator, exact: true });
  const focus = async (): Promise<number> => {
    await own.page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
    return link.count();
  };
  await expect.poll(focus, { timeout: 30_000, interval: 1000 }).toBe(1);
  await closeWithoutErrors(own);
}, 60_000);

test('money moves between accounts of the house, with a reason', async () => {
  const { money, users } = texts.operator;
  await openView(view.ledger);
  await page.getByRole('button', { name: books.moveTitle }).click();
  const sheet = page.getByRole('dialog', { name: books.moveTitle });
  await sheet.getByLabel(money.currency, { exact: true }).selectOption('USDT');
  await sheet.getByLabel(money.amount).fill('250');
  await sheet.getByLabel(transfers.to, { exact: true }).selectOption('treasury');
  await sheet.getByLabel(users.reason).fill('For the rewards of December.');
  await sheet.getByRole('button', { name: books.move, exact: true }).click();
  await sheet.getByText(books.sameAccount).first().waitFor();
  await sheet.getByLabel(transfers.to, { exact: true }).selectOption('reward_pool');
  await expectSound();
  await sheet.getByRole('button', { name: books.move, exact: true }).click();
  await untilNothingIsOpen(page);
  await page.getByText(ledger.balanced.replace('{{currency}}', 'USDT')).waitFor();
});

test('a currency and an account of the house are added, for good', async () => {
  await page.getByRole('button', { name: books.addCurrency }).click();
  const currency = page.getByRole('dialog', { name: books.addCurrency });
  await currency.getByText(books.currencyForGood).waitFor();
  await currency.getByLabel(books.code).fill('dai');
  await currency.getByLabel(texts.operator.chains.decimals).fill('18');
  await expectSound();
  await currency.getByRole('button', { name: books.addCurrency }).click();
  await untilNothingIsOpen(page);
  const currencies = page.getByRole('table', { name: books.currencies });
  await currencies.getByText('DAI', { exact: true }).waitFor();
  await page.getByRole('button', { name: books.addWallet }).click();
  const wallet = page.getByRole('dialog', { name: books.addWallet });
  await wallet.getByText(books.walletForGood).waitFor();
  await wallet.getByLabel(books.code).fill('marketing');
  await expectSound();
  await wallet.getByRole('button', { name: books.addWallet }).click();
  await untilNothingIsOpen(page);
  const wallets = page.getByRole('table', { name: books.wallets });
  await wallets.getByText('marketing').first().waitFor();
});

test('a row of the trial balance opens the statement, page after page, by keyboard', async () => {
  await openView(view.ledger);
  await page.getByText(ledger.balanced.replace('{{currency}}', 'EDGE')).waitFor();
  await page.getByRole('link', { name: 'Statement of Reward pool of the network, EDGE' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => openers().count()).toBe(20);
  await page
    .getByRole('button', { name: /49\.000000000000000001/ })
    .first()
    .waitFor();
  await expectSound();
  await page.getByRole('button', { name: texts.operator.person.older }).click();
  await expect.poll(() => openers().count()).toBe(5);
  expect(new URL(page.url()).searchParams.get('page')).toBe('2');
  await openers().first().focus();
  await page.keyboard.press('End');
  expect(
    await openers()
      .last()
      .evaluate((row) => row === document.activeElement),
  ).toBe(true);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('link', { name: /^Grace · / }).waitFor();
  await expectSound();
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);
});

test('a statement goes by days, and a day leads to its entries', async () => {
  await page.getByText(statements.byDay, { exact: true }).click();
  const days = page.getByRole('table', { name: statements.byDay });
  await days.getByText('25', { exact: true }).waitFor();
  await expectSound();
  await days.getByRole('link').click();
  await expect.poll(() => openers().count()).toBe(20);
  expect(new URL(page.url()).searchParams.get('beginTime')).toMatch(/^\d{4}-\d\d-\d\d$/);
});

test('a transfer is reversed once, with a reason, and stands among the reversals', async () => {
  await openers().first().click();
  const sheet = page.getByRole('dialog', { name: /^Transfer \d+$/ });
  await sheet.getByRole('button', { name: transfers.reverse, exact: true }).click();
  const question = page.getByRole('dialog', { name: /^Reverse transfer \d+\?$/ });
  await question.getByText(`Grace (Person ${userId})`, { exact: false }).waitFor();
  await question.getByRole('button', { name: 'Reverse 2.00 EDGE' }).click();
  await question.getByText(texts.operator.money.reasonNeeded).first().waitFor();
  await question.getByLabel(texts.operator.money.reason).fill('Paid twice.');
  await expectSound();
  await question.getByRole('button', { name: 'Reverse 2.00 EDGE' }).click();
  await question.waitFor({ state: 'detached' });
  await sheet.getByText(transfers.reversal.done).waitFor();
  expect(await sheet.getByRole('button', { name: transfers.reverse, exact: true }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);
  await openView(view.transfers);
  const reversals = page.getByRole('table', { name: transfers.reversals });
  await reversals.getByText('Paid twice.').waitFor();
  await expectSound();
  await reversals.getByRole('button').click();
  await sheet.getByText(transfers.reversal.done).waitFor();
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);
});

test('a transfer is found by its number, and no other', async () => {
  await page.getByLabel(transfers.find).fill('999999999');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('alert').waitFor();
  window.expectRefused('404 GET /operator/transfers/999999999');
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);
});

test('a price feed is added, seen with its state, and deleted', async () => {
  await openView(view.prices);
  await page.getByText(prices.noFeeds).waitFor();
  await page.getByRole('button', { name: prices.addFeed }).click();
  const form = page.getByRole('dialog', { name: prices.addFeed });
  await form.getByLabel(prices.name, { exact: true }).fill('edge-usdt');
  await form.getByLabel(prices.url).fill('https://prices.example/edge');
  await form.getByLabel(prices.pointer).fill('/last');
  await form.getByLabel(texts.operator.money.currency, { exact: true }).fill('edge');
  await expectSound();
  await form.getByRole('button', { name: prices.saveFeed }).click();
  await untilNothingIsOpen(page);
  const feeds = page.getByRole('table', { name: prices.feeds });
  await feeds.getByText('every 60 seconds').waitFor();
  await expectSound();
  await feeds.getByRole('button').click();
  const feed = page.getByRole('dialog', { name: 'edge-usdt' });
  await feed.getByRole('button', { name: prices.delete }).click();
  const question = page.getByRole('dialog', { name: 'Delete the feed edge-usdt?' });
  await question.getByRole('button', { name: prices.delete }).click();
  await untilNothingIsOpen(page);
  await page.getByText(prices.noFeeds).waitFor();
});

test('a settlement that failed is found, and closed with a reason', async () => {
  const begun = {
    id: 7,
    kind: 'hour',
    hour: '2026-11-10T11:00:00.000Z',
    rule_version: 3,
    state: 'posting',
    lines: 1200,
    posted: 512,
    refused: 0,
    amount: '12.5',
    root: 'ab'.repeat(32),
  };
  const run = { ...begun, failure: 'the reward pool is closed' };
  const waiting = { ...begun, id: 8, state: 'computed', lines: 13, posted: 0, amount: '0' };
  const asked: (string | null)[] = [];
  await page.route('**/operator/settlements?*', (route) => {
    asked.push(new URL(route.request().url()).searchParams.get('state'));
    const envelope = { total: 2, current: 1, size: 20, pages: 1 };
    return route.fulfill({ json: { records: [run, waiting], ...envelope } });
  });
  await openView(view.settlements);
  const table = page.getByRole('table', { name: view.settlements });
  await table.getByText('512 of 1,200').waitFor();
  await page.getByText(settlements.unfinished, { exact: true }).click();
  await expect.poll(() => asked.at(-1)).toBe('unfinished');
  await expectSound();
  await table.getByRole('button').first().click();
  const sheet = page.getByRole('dialog', { name: 'Settlement 7' });
  await sheet.getByText(run.failure).waitFor();
  expect(await sheet.getByRole('link', { name: 'Version 3' }).count()).toBe(1);
  await expectSound();
  const sent: unknown[] = [];
  await page.route('**/operator/settlements/7/close', (route) => {
    sent.push(route.request().postDataJSON());
    return route.fulfill({ status: 202, json: { id: 7 } });
  });
  await sheet.getByRole('button', { name: settlements.close }).click();
  const question = page.getByRole('dialog', { name: 'Close settlement 7?' });
  await question.getByRole('button', { name: settlements.close }).click();
  await question.getByText(settlements.reasonNeeded).first().waitFor();
  await question.getByLabel(texts.operator.users.reason).fill('The pool is gone.');
  await question.getByRole('button', { name: settlements.close }).click();
  await untilNothingIsOpen(page);
  expect(sent).toEqual([{ reason: 'The pool is gone.' }]);
  // One that only waits has no total yet, and nothing that would refuse its rewards.
  await table.getByRole('button', { name: 'Open settlement 8' }).click();
  const healthy = page.getByRole('dialog', { name: 'Settlement 8' });
  await healthy.getByText('–', { exact: true }).waitFor();
  expect(await healthy.getByRole('button', { name: settlements.close }).count()).toBe(0);
});

test('statements, transfers and prices fit a phone', async () => {
  await page.setViewportSize({ width: 320, height: 700 });
  for (const address of [
    'view=ledger',
    'view=ledger&house=reward_pool&currency=EDGE',
    'view=ledger&house=reward_pool&currency=EDGE&by=day',
    'view=transfers',
    'view=prices',
  ]) {
    await page.goto(`/operator?${address}`);
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    await window.untilRequestsEnd();
    await expectSound();
  }
});
