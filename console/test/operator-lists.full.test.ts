/** Lists of transfers, purchases and holds, and a purchase that is recorded by hand. */
import type { Page, Route } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectOk } from '../../service/test/demo/http-client.ts';
import { closeWithoutErrors, startBrowserFixture } from './support/browser-fixture.ts';
import { openOperatorPages } from './support/operator-journey.ts';
import {
  buyPackage,
  type Operator,
  openOperator,
  payRewards,
  signUpByApi,
} from './support/seed.ts';
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
const { audit, holds, money, person, transfers, users, view } = texts.operator;
const REWARDS = 25;

let window: WatchedWindow;
let page: Page;
let operator: Operator;
let grace: number;
let ada: number;

const send = <T>(path: string, body?: object): Promise<T> =>
  expectOk(`${operator.baseUrl}/operator/${path}`, {
    ...{ token: operator.token, headers: { 'idempotency-key': crypto.randomUUID() } },
    ...(body && { body }),
  });

beforeAll(async () => {
  grace = (await signUpByApi(stage.service.baseUrl, newPerson('Grace'))).userId;
  ada = (await signUpByApi(stage.service.baseUrl, newPerson('Ada'))).userId;
  operator = await openOperator(stage.service);
  const rewards = Array.from({ length: REWARDS }, () => ({
    ...{ amount: '2', reward_type: 'BONUS', event_at: new Date().toISOString() },
  }));
  await payRewards(operator, grace, rewards);
  await send('transfers', {
    transfers: [
      {
        debit: { house: 'adjustment' },
        credit: { user_id: ada, wallet: 'asset' },
        ...{ currency: 'USDT', amount: '100', business_id: 'adjustment', remark: 'Raffle' },
      },
    ],
  });
  await buyPackage(operator, grace, '120');
  for (const reference of ['card-1', 'card-2'])
    await send('withdrawals', { user_id: ada, currency: 'USDT', amount: '40', reference });
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
const region = (name: string) => page.getByRole('region', { name, exact: true });
const rows = (name: string) => page.getByRole('table', { name, exact: true }).locator('tbody tr');

test('transfers are listed, newest first, page after page; a row opens its transfer', async () => {
  await openView(view.transfers);
  const list = rows(transfers.recent);
  await expect.poll(() => list.count()).toBe(20);
  await list.nth(1).getByText('Raffle').waitFor();
  await expectSound();
  await region(transfers.recent).getByRole('button', { name: audit.more }).click();
  await expect.poll(() => list.count()).toBe(REWARDS + 2);
  await list
    .nth(1)
    .getByRole('button', { name: /, transfer \d+$/ })
    .click();
  const sheet = page.getByRole('dialog', { name: /^Transfer \d+$/ });
  await sheet.getByText('Raffle').waitFor();
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);
});

test('transfers of an account, and of a person', async () => {
  const recent = region(transfers.recent);
  await recent.getByLabel(transfers.account).selectOption('adjustment');
  await expect.poll(() => rows(transfers.recent).count()).toBe(1);
  await recent.getByLabel(money.person).fill(String(grace));
  await recent.getByRole('button', { name: users.search, exact: true }).click();
  await expect.poll(() => rows(transfers.recent).count()).toBe(20);
  expect(await recent.getByLabel(transfers.account).inputValue()).toBe('');
  await recent.getByLabel(money.person).fill('987654');
  await recent.getByRole('button', { name: users.search, exact: true }).click();
  await recent.getByText(transfers.noTransfers).waitFor();
});

test('a purchase is recorded by hand, once, after a question that names all of it', async () => {
  await region(transfers.purchases).getByRole('button', { name: transfers.record }).click();
  const form = page.getByRole('dialog', { name: transfers.record });
  await form.getByLabel(money.person).fill('Ada');
  await form.getByLabel(transfers.package).fill('Starter 2026');
  await form.getByLabel(/^Price in /).fill('0');
  await form.getByRole('button', { name: transfers.review }).click();
  await form.getByText(money.personInvalid).first().waitFor();
  await form.getByText(transfers.priceInvalid).first().waitFor();
  await form.getByLabel(money.person).fill(String(ada));
  await form.getByLabel(/^Price in /).fill('49.9');
  await form.getByRole('switch', { name: transfers.paidOutside }).click();
  await expectSound();
  await form.getByRole('button', { name: transfers.review }).click();
  const question = page.getByRole('dialog', { name: transfers.recordTitle });
  await question.getByRole('link', { name: /^Ada / }).waitFor();
  await question.getByText('Starter 2026').waitFor();
  await question.getByText(transfers.recordOutside).waitFor();
  await expectSound();
  // The answer is lost: asked for anew, it is the same purchase.
  const loseAnswer = async (route: Route): Promise<void> => {
    await route.fetch();
    await route.abort('connectionreset');
  };
  await page.route('**/operator/purchases', loseAnswer, { times: 1 });
  const record = question.getByRole('button', { name: 'Record 49.90 EDGE' });
  await record.click();
  await question.getByRole('alert').filter({ hasText: /\S/ }).first().waitFor();
  await question.getByRole('button', { name: texts.shell.cancel }).click();
  await form.getByRole('button', { name: transfers.review }).click();
  await record.click();
  await untilNothingIsOpen(page);
  const list = rows(transfers.purchases);
  await expect.poll(() => list.count()).toBe(2);
  await list
    .first()
    .getByRole('button', { name: /^Starter 2026, purchase \d+$/ })
    .click();
  const sheet = page.getByRole('dialog', { name: /^Purchase \d+$/ });
  await sheet.getByRole('button', { name: transfers.refund, exact: true }).waitFor();
  await expectSound();
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);
  const { purchases } = await send<{ purchases: object[] }>(`purchases?user_id=${ada}`);
  expect(purchases).toMatchObject([{ reference: 'Starter 2026', amount: 49.9, external: true }]);
});

test('a purchase that the wallet cannot pay is refused in the question', async () => {
  await region(transfers.purchases).getByRole('button', { name: transfers.record }).click();
  const form = page.getByRole('dialog', { name: transfers.record });
  await form.getByLabel(money.person).fill(String(grace));
  await form.getByLabel(transfers.package).fill('Starter 2026');
  await form.getByLabel(/^Price in /).fill('1000');
  await form.getByRole('button', { name: transfers.review }).click();
  const question = page.getByRole('dialog', { name: transfers.recordTitle });
  await question.getByText(transfers.recordDebit).waitFor();
  await question.getByRole('button', { name: 'Record 1,000.00 EDGE' }).click();
  await question.getByRole('alert').filter({ hasText: /\S/ }).first().waitFor();
  window.expectRefused('409 POST /operator/purchases');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);
});

test('what is held is listed, oldest first; a row opens it, and it is given back', async () => {
  await openView(view.money);
  const list = rows(holds.open);
  await expect.poll(() => list.count()).toBe(2);
  await list.first().getByText('card-1').waitFor();
  await list.first().getByRole('link', { name: 'Ada', exact: true }).waitFor();
  await expectSound();
  await list
    .first()
    .getByRole('button', { name: /^Held withdrawal, No\. \d+$/ })
    .click();
  const sheet = page.getByRole('dialog', { name: /^Held withdrawal \d+$/ });
  await expectSound();
  await sheet.getByRole('button', { name: /^Give back / }).click();
  const question = page.getByRole('dialog', { name: /^Give back withdrawal \d+\?$/ });
  await question.getByRole('textbox').fill('asked twice');
  await question.getByRole('button', { name: person.withdrawals.cancel }).click();
  await question.waitFor({ state: 'detached' });
  await sheet.getByText(person.withdrawals.state.cancelled).waitFor();
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);
  await expect.poll(() => list.count()).toBe(1);
  await list.first().getByText('card-2').waitFor();
});

test('the lists fit a phone', async () => {
  await page.setViewportSize({ width: 320, height: 700 });
  for (const name of ['transfers', 'money']) {
    await page.goto(`/operator?view=${name}`);
    await page.getByRole('table').first().waitFor();
    await window.untilRequestsEnd();
    await expectSound();
  }
});
