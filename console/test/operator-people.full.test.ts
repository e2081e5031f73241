/** Operators manage users and failing RPC endpoints; the texts exist in both languages. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectOk } from '../../service/test/demo/http-client.ts';
import { makeAccountKey } from '../../service/test/support/chains/demo-chain.ts';
import { hashPassword } from '../src/lib/password.ts';
import { closeWithoutErrors, startBrowserFixture } from './support/browser-fixture.ts';
import { expectWrong } from './support/focus.ts';
import { openOperatorPages } from './support/operator-journey.ts';
import { findUserId, fundAsset } from './support/payouts.ts';
import { openOperator, signUpByApi } from './support/seed.ts';
import { texts } from './support/texts.ts';
import { newPerson, overview, signIn } from './support/user-flows.ts';
import {
  addVirtualAuthenticator,
  findAccessibilityProblems,
  resize,
  untilNothingIsOpen,
  type WatchedWindow,
} from './support/watched-page.ts';

const { money } = texts.operator;

const stage = startBrowserFixture();
const grace = newPerson('Grace');
let window: WatchedWindow;
let page: Page;

beforeAll(async () => {
  await signUpByApi(stage.service.baseUrl, grace);
  window = await stage.open();
  page = window.page;
  await addVirtualAuthenticator(page);
  await openOperatorPages(page, stage.service);
  return () => closeWithoutErrors(window);
});

async function setLanguage(language: 'en' | 'zh'): Promise<void> {
  await page.evaluate((chosen) => localStorage.setItem('edge-language', chosen), language);
}

async function decide(word: 'Disable' | 'Enable', follows: string, reason: string): Promise<void> {
  await page.getByRole('button', { name: `${word} Grace`, exact: true }).click();
  const sheet = page.getByRole('dialog', { name: `${word} Grace?` });
  await sheet.getByText(follows).waitFor();
  await sheet.getByText(grace.email).waitFor();
  await sheet.getByLabel('Reason').fill(reason);
  await sheet.getByRole('button', { name: word, exact: true }).click();
  await untilNothingIsOpen(page);
}

test('a disabled user is signed out immediately and stays out until enabled again', async () => {
  const own = await stage.openAs(grace);
  // On a phone the page of the person has the button.
  await resize(page, 1024);
  const row = page.getByRole('row').filter({ hasText: grace.email });
  await row.getByText('Active', { exact: true }).waitFor();
  await decide('Disable', texts.operator.users.disableLead, 'Sells accounts.');
  await row.getByText('Disabled', { exact: true }).waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);

  await own.page.getByText('This account was blocked by the operator.').waitFor();
  // The state of an account is not revealed to a caller who has only the password.
  await signIn(own.page, stage.service.baseUrl, grace);
  await own.page.getByRole('alert').getByText('This account is closed or blocked.').waitFor();

  await page.reload();
  await row.getByText('Disabled', { exact: true }).waitFor();
  await decide('Enable', 'This person can sign in again.', 'A mistake.');
  await row.getByText('Active', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Disable Grace', exact: true }).waitFor();
  await own.page.goto('/');
  await signIn(own.page, stage.service.baseUrl, grace);
  await overview(own.page).waitFor();
  await own.close();
  await resize(page, 390);
});

test('operators have no actions on their own account', async () => {
  await page.goto('/operator?view=users&keyword=Hopper');
  await page.getByRole('link', { name: 'Hopper', exact: true }).click();
  await page.getByRole('heading', { name: 'Hopper', exact: true }).waitFor();
  await page.getByRole('region', { name: 'Security log', exact: true }).waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'End sessions' }).count()).toBe(0);
});

test('the page of a person shows the account, and keeps notes and reasons', async () => {
  await page.goto('/operator?view=users&keyword=Grace');
  await page.getByRole('link', { name: 'Grace', exact: true }).click();
  await page.getByRole('heading', { name: 'Grace', exact: true }).waitFor();
  const ofMoney = ['Wallets', 'Deposits', 'Payouts', 'Held withdrawals'];
  for (const name of [...ofMoney, 'Devices', 'Sessions', 'Notes', 'Security log'])
    await page.getByRole('region', { name, exact: true }).waitFor();

  await page.getByRole('button', { name: 'Save note' }).click();
  await page.getByText(texts.operator.person.noteNeeded).waitFor();
  await page.getByLabel('New note').fill('Asked about a deposit.');
  await page.getByRole('button', { name: 'Save note' }).click();
  const notes = page.getByRole('region', { name: 'Notes' });
  await notes.getByRole('listitem').filter({ hasText: 'Asked about a deposit.' }).waitFor();
  await notes.getByText(/^Hopper/).waitFor();

  await page.getByRole('button', { name: 'End sessions' }).click();
  const sheet = page.getByRole('dialog', { name: 'End all sessions of Grace?' });
  await sheet.getByLabel('Reason').fill('Laptop stolen.');
  await sheet.getByRole('button', { name: 'End sessions' }).click();
  await untilNothingIsOpen(page);
  await page.getByText('All sessions ended by the operator · “Laptop stolen.”').waitFor();
  await page.getByText(texts.operator.person.noSessions).waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
});

test('the page of a person shows all notes, page after page', async () => {
  const { token, baseUrl } = await openOperator(stage.service);
  const userId = await findUserId(stage.service, grace);
  for (let number = 1; number <= 20; number += 1)
    await expectOk(`${baseUrl}/operator/users/${userId}/notes`, {
      token,
      headers: { 'idempotency-key': `note-${number}` },
      body: { text: `Note ${number}.` },
    });
  await page.reload();
  const notes = page.getByRole('region', { name: 'Notes', exact: true });
  await notes.getByText('Note 20.', { exact: true }).waitFor();
  expect(await notes.getByText('Asked about a deposit.').count()).toBe(0);
  await notes.getByRole('button', { name: texts.operator.payouts.more }).click();
  await notes.getByText('Asked about a deposit.').waitFor();
  await notes.getByRole('button', { name: texts.operator.payouts.more }).waitFor({
    state: 'detached',
  });
  expect(await findAccessibilityProblems(page)).toEqual([]);
});

test('money is frozen until it is released, which the person sees', async () => {
  const own = await stage.openAs(grace);
  const change = async (word: 'Freeze money' | 'Release money', reason: string): Promise<void> => {
    await page.getByRole('button', { name: word }).click();
    const sheet = page.getByRole('dialog', { name: `${word.split(' ')[0]} the money of Grace?` });
    await sheet.getByLabel('Reason').fill(reason);
    await sheet.getByRole('button', { name: word }).click();
    await untilNothingIsOpen(page);
  };
  await change('Freeze money', 'Card stolen.');
  await page.getByText(texts.operator.person.moneyFrozenSince).waitFor();
  await page.getByText('“Card stolen.”', { exact: true }).waitFor();
  await page.getByText('Money frozen by the operator · “Card stolen.”').waitFor();
  await own.page.goto('/security');
  await own.page.getByText(texts.security.moneyFrozenSince).waitFor();
  await own.page.getByText('Reason given: Card stolen.').waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await change('Release money', 'The card is hers.');
  await page.getByRole('button', { name: 'Freeze money' }).waitFor();
  await own.close();
});

test('the groups of a person are replaced', async () => {
  const { person } = texts.operator;
  await page.getByRole('button', { name: person.changeGroups }).click();
  const sheet = page.getByRole('dialog', { name: 'Groups of Grace' });
  await sheet.getByLabel(person.groups).fill('staff\neu/west');
  await sheet.getByRole('button', { name: person.saveGroups }).click();
  await untilNothingIsOpen(page);
  await page.getByText('eu/west, staff').waitFor();
});

test('a balance is adjusted by a transfer that the activity shows with its reason', async () => {
  await page.getByRole('button', { name: 'Adjust balance' }).click();
  const sheet = page.getByRole('dialog', { name: 'Adjust balance' });
  await sheet.getByRole('heading', { name: 'Adjust balance of Grace' }).waitFor();
  await sheet.getByLabel('Wallet').selectOption({ label: 'Rewards' });
  await sheet.getByLabel('Currency').selectOption('EDGE');
  await sheet.getByText(/Available: 0\.00\sEDGE/).waitFor();
  await sheet.getByLabel('Amount').fill('2.000000000000000001');
  await sheet.getByRole('button', { name: 'Adjust balance' }).click();
  await sheet.getByText(money.reasonNeeded).waitFor();
  await sheet.getByLabel('Reason').fill('A reward was lost.');
  await sheet.getByLabel('Direction').selectOption({ label: 'Take from the person' });
  await sheet.getByRole('button', { name: 'Adjust balance' }).click();
  await sheet.getByRole('alert').getByText(/\S/).waitFor();
  await sheet.getByLabel('Direction').selectOption({ label: 'Add to the person' });
  await sheet.getByRole('button', { name: 'Adjust balance' }).click();
  await untilNothingIsOpen(page);
  await page.getByRole('button', { name: 'Activity of Rewards, EDGE' }).click();
  const activity = page.getByRole('dialog', { name: 'Rewards · EDGE' });
  await activity.getByText(/A reward was lost\./).waitFor();
  await activity.getByRole('button', { name: /2\.000000000000000001/ }).waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);
});

test('a balance is taken below zero only where that is said', async () => {
  await page.getByRole('button', { name: 'Adjust balance' }).click();
  const sheet = page.getByRole('dialog', { name: 'Adjust balance' });
  const { debit, mayOverdraw, mayOverdrawLead } = texts.operator.person;
  expect(await sheet.getByRole('switch', { name: mayOverdraw }).count()).toBe(0);
  await sheet.getByLabel('Direction').selectOption({ label: debit });
  await sheet.getByLabel('Wallet').selectOption({ label: 'Rewards' });
  await sheet.getByLabel('Currency').selectOption('EDGE');
  await sheet.getByLabel('Amount').fill('1000');
  await sheet.getByLabel('Reason').fill('Paid twice.');
  await sheet.getByRole('button', { name: 'Adjust balance' }).click();
  await sheet.getByRole('alert').getByText(/\S/).waitFor();
  await sheet.getByRole('switch', { name: mayOverdraw, description: mayOverdrawLead }).click();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await sheet.getByRole('button', { name: 'Adjust balance' }).click();
  await untilNothingIsOpen(page);
  // The balance is restored for what follows.
  await page.getByRole('button', { name: 'Adjust balance' }).click();
  await sheet.getByLabel('Wallet').selectOption({ label: 'Rewards' });
  await sheet.getByLabel('Currency').selectOption('EDGE');
  await sheet.getByLabel('Amount').fill('1000');
  await sheet.getByLabel('Reason').fill('It was not.');
  await sheet.getByRole('button', { name: 'Adjust balance' }).click();
  await untilNothingIsOpen(page);
});

test('a held withdrawal is recorded as paid, in parts, and its rest is given back', async () => {
  const operator = await openOperator(stage.service);
  const userId = await findUserId(stage.service, grace);
  await fundAsset(operator, userId, '30');
  await page.reload();
  const { withdrawals } = texts.operator.person;
  const held = page.getByRole('region', { name: withdrawals.title, exact: true });
  await held.getByRole('button', { name: withdrawals.hold }).click();
  const form = page.getByRole('dialog', { name: withdrawals.hold });
  await form.getByLabel(money.currency).selectOption('USDT');
  await form.getByLabel(withdrawals.reference).fill('invoice 7');
  await form.getByLabel(money.remark).fill('To the bank.');
  const hold = async (amount: string) => {
    await form.getByLabel(money.amount).fill(amount);
    await form.getByRole('button', { name: withdrawals.hold }).click();
  };
  await hold('31');
  await form.getByRole('alert').getByText(/\S/).waitFor();
  window.expectRefused('409 POST /operator/withdrawals');
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await form.getByLabel(withdrawals.days).fill('7');
  await form.getByLabel(money.remark).fill(' ');
  await hold('30');
  await expectWrong(page, form.getByLabel(money.remark), texts.common.required);
  await form.getByLabel(money.remark).fill('To the bank.');
  await hold('30');
  await untilNothingIsOpen(page);
  await held.getByText('invoice 7').waitFor();
  const [{ id } = { id: 0 }] = await expectOk<{ id: number }[]>(
    `${operator.baseUrl}/operator/withdrawals?userId=${userId}`,
    { token: operator.token },
  );
  const sheet = page.getByRole('dialog', { name: `Record withdrawal ${id} as paid?` });
  const open = () => held.getByRole('button', { name: `Record withdrawal ${id} as paid` }).click();
  const settle = () => sheet.getByRole('button', { name: withdrawals.settle }).click();
  await open();
  await sheet.getByLabel(withdrawals.settleAmount).fill('31');
  await settle();
  await sheet.getByRole('alert').getByText(/\S/).waitFor();
  window.expectRefused(`409 POST /operator/withdrawals/${id}/settle`);
  await sheet.getByLabel(withdrawals.settleAmount).fill('10');
  await sheet.getByLabel(money.remark).fill('Bank transfer 7');
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await settle();
  await untilNothingIsOpen(page);
  await held.getByText('10.00 USDT paid out').waitFor();
  await open();
  await sheet.getByLabel(withdrawals.settleAmount).fill('5');
  await sheet.getByRole('switch', { name: withdrawals.releaseRest }).click();
  await settle();
  await untilNothingIsOpen(page);
  await held.getByRole('list').getByRole('button').first().waitFor({ state: 'detached' });
  const path = `${operator.baseUrl}/operator/withdrawals/${id}`;
  expect(
    await expectOk(path, { token: operator.token, headers: { prefer: 'amounts=string' } }),
  ).toMatchObject({ settled: '15', remaining: '0' });
  await page.getByText('5.00 USDT recorded as paid').waitFor();
  await page.goto('/operator?view=money');
  const section = page.getByRole('region', { name: withdrawals.title, exact: true });
  await section.getByLabel(withdrawals.find).fill(`#${id}`);
  await page.keyboard.press('Enter');
  await section.getByText(`No. ${id}`).waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await section.getByRole('link', { name: 'Grace' }).click();
  await page.getByRole('heading', { name: 'Grace', exact: true }).waitFor();
});

test('held money is given back with a reason that the audit log keeps', async () => {
  const { token, baseUrl } = await openOperator(stage.service);
  const userId = await findUserId(stage.service, grace);
  const { id } = await expectOk<{ id: number }>(`${baseUrl}/operator/withdrawals`, {
    token,
    headers: { 'idempotency-key': 'held-for-a-while' },
    body: { user_id: userId, currency: 'USDT', amount: '4' },
  });
  await page.reload();
  await page.getByRole('button', { name: `Give back withdrawal ${id}` }).click();
  const sheet = page.getByRole('dialog', { name: `Give back withdrawal ${id}?` });
  const giveBack = () =>
    sheet.getByRole('button', { name: texts.operator.person.withdrawals.cancel }).click();
  await giveBack();
  await expectWrong(page, sheet.getByLabel(money.auditReason), money.auditReasonNeeded);
  await sheet.getByLabel(money.auditReason).fill('The bank sent it back.');
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await giveBack();
  await untilNothingIsOpen(page);
  await page.getByText('4.00 USDT given back').waitFor();
  const { entries } = await expectOk<{ entries: { reason?: string }[] }>(
    `${baseUrl}/operator/audit?operation=cancelWithdrawal`,
    { token },
  );
  expect(entries.map(({ reason }) => reason)).toEqual(['The bank sent it back.']);
});

test('a reward is paid on the page of the person, whose number is not typed', async () => {
  await page.getByRole('button', { name: money.payReward }).click();
  const sheet = page.getByRole('dialog', { name: money.payReward });
  await sheet.getByRole('link', { name: grace.email }).waitFor();
  expect(await sheet.getByLabel(money.person).count()).toBe(0);
  await sheet.getByLabel(money.amount).fill('0');
  await sheet.getByLabel(money.remark).fill('Welcome!');
  const goOn = () => sheet.getByRole('button', { name: money.toConfirm }).click();
  await goOn();
  await expectWrong(page, sheet.getByLabel(money.amount), texts.wallets.amountInvalid);
  await sheet.getByLabel(money.amount).fill('0.5');
  await goOn();
  const question = page.getByRole('dialog', { name: /^Pay 0\.50 EDGE to Grace/ });
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await question.getByRole('button', { name: 'Pay 0.50 EDGE' }).click();
  await untilNothingIsOpen(page);
  await page.getByText(/0\.50 EDGE paid to Grace/).waitFor();
});

/** A page of a statement as the service answers it. */
function pageOf(current: number, count: number, more: object = {}): object {
  const records = Array.from({ length: count }, (_, at) => {
    const id = 1000 - 20 * current - at;
    return {
      ...{ id, transfer_id: id, currency: 'EDGE', amount: '0.00000001', amount_direction: 1 },
      ...{ business_id: 'referral_reward', reward_type: 'REFERRAL', balance_after: '1' },
      ...{ event_at: '2026-11-09T12:00:00.000Z', created_at: '2026-11-09T12:00:00.000Z' },
      ...more,
    };
  });
  return { records, total: 60, size: 20, current, pages: 3 };
}

test('many entries of one kind and day are one, which unfolds', async () => {
  const pages = [pageOf(1, 20), pageOf(2, 20), pageOf(3, 2, { reward_type: 'BONUS' })];
  await page.route('**/operator/statements?*', (route) => {
    const current = Number(new URL(route.request().url()).searchParams.get('current'));
    return route.fulfill({ json: pages[current - 1] });
  });
  await page.getByRole('button', { name: 'Activity of Rewards, EDGE' }).click();
  const activity = page.getByRole('dialog', { name: 'Rewards · EDGE' });
  await activity.getByText('40 entries').waitFor();
  // What follows is there too: the page was read to see where the group ends.
  expect(await activity.getByRole('listitem').count()).toBe(3);
  await activity.getByText('+0.0000004').first().waitFor();
  const group = activity.getByRole('button', { expanded: false }).first();
  await group.click();
  await expect.poll(() => activity.getByRole('listitem').count()).toBe(43);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.unroute('**/operator/statements?*');
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);
});

test('the overview leads from figures to the pages where an operator acts', async () => {
  await page.getByRole('link', { name: texts.operator.view.overview, exact: true }).last().click();
  const people = page.getByText('People', { exact: true });
  await people.first().waitFor();
  await page.getByRole('table', { name: 'New people' }).waitFor({ state: 'attached' });
  await page.getByRole('cell', { name: 'on time' }).waitFor();
  await page.getByText(texts.operator.overview.neverVerified).waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.getByRole('link', { name: 'Open the queue' }).click();
  await page
    .getByRole('link', { name: 'Payouts', exact: true })
    .and(page.locator('[aria-current]'))
    .waitFor();
  await window.untilRequestsEnd();
  // No policy of payouts is set up here.
  window.expectRefused('404 GET /operator/payout-policy');
});

test('the referral tree of a person opens branch by branch', async () => {
  const { baseUrl } = stage.service;
  const top = await signUpByApi(baseUrl, newPerson('Ada'));
  const middle = await signUpByApi(baseUrl, newPerson('Linus'), top.referralCode);
  await signUpByApi(baseUrl, newPerson('Margaret'), middle.referralCode);
  await page.goto(`/operator?view=users&person=${top.userId}`);
  const tree = page.getByRole('region', { name: texts.operator.person.team, exact: true });
  const levels = tree.getByRole('list', { name: texts.operator.person.levels });
  await expect
    .poll(() => levels.getByRole('listitem').allTextContents())
    .toEqual(['Level 11', 'Level 21']);
  expect(await tree.getByRole('link', { name: 'Margaret' }).count()).toBe(0);
  await tree.getByRole('button', { name: 'Show the referrals of Linus' }).click();
  await tree.getByRole('link', { name: 'Margaret', exact: true }).waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
});

test('failures of an RPC endpoint are in the language of the reader', async () => {
  const { baseUrl } = stage.service;
  const { token } = await openOperator(stage.service);
  await expectOk(`${baseUrl}/operator/chains/POLYGON`, {
    method: 'PUT',
    token,
    body: { rpc_urls: ['http://127.0.0.1:1/'], xpub: makeAccountKey() },
  });
  await setLanguage('zh');
  await page.goto('/operator?view=chains');
  const item = page.getByRole('row').filter({ hasText: 'Polygon' });
  await item.getByText('没有 RPC 端点应答').waitFor();
  await item.getByRole('button', { name: '设置 Polygon' }).click();
  const failing = page
    .getByRole('dialog', { name: 'Polygon' })
    .getByRole('region', { name: '出错的 RPC 端点' });
  await failing.getByText('eth_chainId 无法连接 RPC 端点').waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);
});

test('a user who closed the account has no name in any language', async () => {
  const { baseUrl } = stage.service;
  const referrer = newPerson('Ada');
  const { referralCode } = await signUpByApi(baseUrl, referrer);
  const friend = newPerson('Linus');
  const { accessToken } = await signUpByApi(baseUrl, friend, referralCode);
  await expectOk(`${baseUrl}/me/close`, {
    token: accessToken,
    body: { login_password: hashPassword(friend.password) },
  });
  const own = await stage.openAs(referrer);
  await own.page.evaluate(() => localStorage.setItem('edge-language', 'zh'));
  await own.page.goto('/people');
  const members = own.page.getByRole('list', { name: '成员' });
  await members.getByText('已注销的账户', { exact: true }).waitFor();
  await members.getByRole('button', { name: /已注销的账户/ }).waitFor();
  expect(await members.getByText(/Closed account|account\.invalid/).count()).toBe(0);
  await closeWithoutErrors(own);
});
