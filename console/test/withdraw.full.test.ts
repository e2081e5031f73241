/**
 * A payout from the request to its arrival on a real local chain: pages of the user and the
 * operator, and the signer between them.
 */
import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitForCursor } from '../../service/test/demo/make-deposit.ts';
import { type DemoChain, startDemoChain } from '../../service/test/support/chains/demo-chain.ts';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { expectWrong } from './support/focus.ts';
import { becomeOperator, confirmOperator } from './support/operator-journey.ts';
import { signUpWithPasskey } from './support/passkey.ts';
import {
  endQuarantine,
  findUserId,
  fundAsset,
  PAYEE,
  putPolicy,
  RULE,
  startSigner,
} from './support/payouts.ts';
import { type Operator, openOperator, payRewards, setPrice } from './support/seed.ts';
import { texts } from './support/texts.ts';
import { newPerson, type Person } from './support/user-flows.ts';
import {
  addVirtualAuthenticator,
  findAccessibilityProblems,
  findOverflow,
  untilNothingIsOpen,
  type WatchedWindow,
} from './support/watched-page.ts';

const CONFIRMATIONS = 3;
const { withdraw, wallets, security, operator: operatorTexts } = texts;

const stage = startBrowserFixture();
const person: Person = newPerson();
let chain: DemoChain;
let operator: Operator;
let own: WatchedWindow;
let page: Page;
let theirs: WatchedWindow;
let desk: Page;
let hopper: Person;

async function openChain(): Promise<void> {
  chain = await startDemoChain(CONFIRMATIONS);
  const { service } = stage;
  operator = await openOperator(service);
  await chain.configure(service.baseUrl, operator.token);
  await waitForCursor(service.baseUrl, operator.token);
  await putPolicy(operator);
  await setPrice(operator, 'EDGE', '0.5');
}

async function openOwnPage(): Promise<void> {
  own = await stage.open({ viewport: { width: 320, height: 640 } });
  page = own.page;
  await signUpWithPasskey(page, stage.service.baseUrl, person);
}

async function openDesk(): Promise<void> {
  theirs = await stage.open({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  desk = theirs.page;
  await addVirtualAuthenticator(desk);
  hopper = await becomeOperator(desk, stage.service);
  await confirmOperator(desk, hopper);
}

// Each waits for the service or a page most of its time.
beforeAll(async () => {
  await Promise.all([openChain(), openOwnPage(), openDesk()]);
});
afterAll(async () => {
  await chain?.stop();
});

async function expectSound(of: Page): Promise<void> {
  expect(await findAccessibilityProblems(of)).toEqual([]);
  expect(await findOverflow(of)).toEqual([]);
}

/** Fills in the amount, and opens the terms. */
async function seeTerms(amount: string): Promise<void> {
  await page.getByLabel(withdraw.amount).fill(amount);
  await page.getByRole('button', { name: withdraw.seeTerms, exact: true }).click();
  await page.getByText(withdraw.validUntil).waitFor();
}

const listed = (status: string) =>
  page.getByRole('list', { name: withdraw.payouts }).getByRole('button', { name: status });

async function openQueue(): Promise<void> {
  await desk.getByRole('link', { name: operatorTexts.view.payouts, exact: true }).click();
}

test('rewards are converted first, in the same flow', async () => {
  const id = await findUserId(stage.service, person);
  const event_at = new Date().toISOString();
  await payRewards(operator, id, [{ amount: '80', reward_type: 'BONUS', event_at }]);
  await page.goto('/wallets');
  await page.getByRole('link', { name: withdraw.title }).click();
  await page.getByText(withdraw.onlyRewards).waitFor();
  await expectSound(page);
  await page.getByRole('button', { name: wallets.convert }).click();
  await page.getByLabel(wallets.amount).fill('80');
  await page.getByRole('button', { name: wallets.seeOffer }).click();
  await page.getByRole('button', { name: wallets.convertNow }).click();
  await page.getByRole('button', { name: withdraw.seeTerms, exact: true }).waitFor();
  expect(await page.getByLabel(withdraw.amount).inputValue()).toBe('40');
});

test('an address is checked, added, and waits for a day', async () => {
  await page.getByRole('button', { name: withdraw.addAddress }).first().click();
  const sheet = page.getByRole('dialog', { name: withdraw.addAddress });
  await sheet.getByLabel(withdraw.address).fill(PAYEE.replace('A', 'a'));
  await sheet.getByLabel(withdraw.label).fill('Cold wallet');
  await sheet.getByRole('button', { name: withdraw.saveAddress, exact: true }).click();
  // An account with a passkey has to use it: the sign-in was by an email code.
  const proof = page.getByRole('dialog', { name: security.proof.title });
  await proof.getByLabel('Password', { exact: true }).fill(person.password);
  await proof.getByRole('button', { name: 'Continue' }).click();
  await proof.getByRole('button', { name: 'Use a passkey' }).click();
  own.expectRefused('403 POST /me/payout-addresses');
  await sheet.getByLabel(withdraw.address).and(page.locator('[aria-invalid]')).waitFor();
  own.expectRefused('400 POST /me/payout-addresses');
  await expectSound(page);
  await sheet.getByLabel(withdraw.address).fill(PAYEE);
  await sheet.getByRole('button', { name: withdraw.saveAddress, exact: true }).click();
  await untilNothingIsOpen(page);
  const book = page.getByRole('list', { name: withdraw.addresses });
  await book.getByText('Cold wallet').waitFor();
  await book.getByText(withdraw.usableAt).waitFor();
  await expectSound(page);
  await endQuarantine(stage.service);
  await fundAsset(operator, await findUserId(stage.service, person), '100');
});

const OTHER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

interface Signing {
  order: string;
  readonly options: { challenge: string };
}

/** The service has another order signed than the page shows, with the right challenge for it. */
async function lieAboutOrder(changes: object): Promise<void> {
  await page.route('**/payouts/signing-options', async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as Signing;
    const order = { ...(JSON.parse(answer.order) as object), ...changes };
    answer.order = JSON.stringify(order);
    answer.options.challenge = createHash('sha256').update(answer.order).digest('base64url');
    await route.fulfill({ response, json: answer });
  });
}

/** The service shows other terms than it has signed. */
async function lieAboutTerms(changes: object): Promise<void> {
  await page.route('**/payouts/quote?*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), ...changes } });
  });
}

test.each<[string, () => Promise<void>]>([
  ['amount', () => lieAboutOrder({ amount: '39000000' })],
  ['address', () => lieAboutOrder({ address: OTHER })],
  ['network', () => lieAboutOrder({ network: 'POLYGON' })],
  ['chain', () => lieAboutOrder({ chain_id: 137 })],
  ['contract', () => lieAboutOrder({ contract: OTHER.toLowerCase() })],
  ['fee, which leaves less to arrive', () => lieAboutOrder({ amount: '24250000' })],
  ['fee than shown, which does not add up', () => lieAboutTerms({ fee: 0.5 })],
  ['contract than shown', () => lieAboutTerms({ contract: OTHER.toLowerCase() })],
  ['chain than shown', () => lieAboutTerms({ chain_id: 137 })],
])('a service that has another %s signed gets no signature', async (_what, lie) => {
  await lie();
  await page.goto('/wallets/withdraw');
  await page.getByText(withdraw.minimum).waitFor();
  await seeTerms('26.25');
  await page.getByRole('button', { name: withdraw.confirm }).click();
  await page.getByRole('alert').getByText(withdraw.orderMismatch).waitFor();
  await page.unrouteAll();
  const { rows } = await stage.service.database.query('select id from payout');
  expect(rows).toEqual([]);
});

test('a payout is requested, approved with a passkey, sent, and arrives', async () => {
  await page.goto('/wallets/withdraw');
  await page.getByText(withdraw.minimum).waitFor();
  await seeTerms('26.25');
  const terms = page.getByRole('main');
  expect(await terms.locator('code').first().textContent()).toBe(PAYEE);
  expect(await terms.locator('code').first().locator('span').allTextContents()).toEqual(
    PAYEE.match(/^0x|.{4}/g),
  );
  await page.getByRole('heading', { name: /25\.25/ }).waitFor();
  const contract = await terms.locator('code').nth(1).textContent();
  expect(contract?.toLowerCase()).toBe(chain.usdt.toLowerCase());
  expect(contract).not.toBe(contract?.toLowerCase());
  await terms.getByText(String(chain.chainId), { exact: true }).waitFor();
  await expectSound(page);
  await page.getByRole('button', { name: withdraw.confirm }).click();
  await page.getByText('25.25 USDT will arrive').waitFor();
  const { rows } = await stage.service.database.query<{ isSigned: boolean }>(
    'select owner_assertion is not null as "isSigned" from payout',
  );
  expect(rows).toEqual([{ isSigned: true }]);
  await listed(withdraw.status.in_review).waitFor();

  await openQueue();
  const queue = desk.getByRole('table', { name: operatorTexts.payouts.queue });
  await queue.getByText(operatorTexts.payouts.reason.above_automatic).waitFor();
  await expectSound(desk);
  await queue.getByRole('button').click();
  const review = desk.getByRole('dialog');
  expect(await review.locator('code').first().textContent()).toBe(PAYEE);
  await expectSound(desk);
  await review.getByRole('button', { name: operatorTexts.payouts.approve }).click();
  await desk.getByText(operatorTexts.payouts.none).waitFor();
  await untilNothingIsOpen(desk);
  await listed(withdraw.status.approved).waitFor();

  const signer = await startSigner(stage.service, chain, await findUserId(stage.service, hopper));
  await signer.cycle();
  signer.close();
  await listed(withdraw.status.sent).waitFor();
  for (let block = 1; block < CONFIRMATIONS; block++) {
    await chain.mine();
    await page.getByText(`${block} of ${CONFIRMATIONS}`).waitFor();
  }
  await expectSound(page);
  await chain.mine();
  await listed(withdraw.status.confirmed).click();
  const sheet = page.getByRole('dialog', { name: withdraw.status.confirmed });
  await sheet.getByText(withdraw.reason.deep_enough).waitFor();
  await expectSound(page);
  expect(await chain.balanceOf(PAYEE)).toBe(25_250_000n);
});

test('a payout is cancelled by its user, and one is rejected', async () => {
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);
  for (const amount of ['6', '7']) {
    await page.getByRole('button', { name: withdraw.again }).click();
    await page.getByText(withdraw.minimum).waitFor();
    await page.getByLabel(withdraw.amount).fill('4.99');
    await page.getByRole('button', { name: withdraw.seeTerms, exact: true }).click();
    const tooLittle = withdraw.belowMinimum.replace('{{amount}}', '5.00 USDT');
    await expectWrong(page, page.getByLabel(withdraw.amount), tooLittle);
    await seeTerms(amount);
    await page.getByRole('button', { name: withdraw.confirm }).click();
    await page.getByText(withdraw.requestedLead).waitFor();
  }
  await listed('6.00').waitFor();
  await listed('5.00').click();
  await page.getByRole('dialog').getByRole('button', { name: withdraw.cancel }).click();
  await page.getByRole('dialog', { name: withdraw.status.cancelled }).waitFor();
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);
  await desk.reload();
  await desk.getByRole('table', { name: operatorTexts.payouts.queue }).getByRole('button').click();
  await desk
    .getByRole('dialog')
    .getByRole('button', { name: operatorTexts.payouts.reject })
    .click();
  const rejection = desk.getByRole('dialog', { name: /^Reject payout/ });
  await rejection.getByLabel(operatorTexts.payouts.remark).fill('The owner asked for it.');
  await rejection
    .getByLabel(operatorTexts.payouts.reasonForOwner)
    .fill('This address belongs to an exchange.');
  await rejection.getByRole('button', { name: operatorTexts.payouts.reject }).click();
  await untilNothingIsOpen(desk);
  await listed(withdraw.status.rejected).click();
  const rejected = page.getByRole('dialog', { name: withdraw.status.rejected });
  await rejected.getByText('This address belongs to an exchange.').waitFor();
  expect(await rejected.getByText('The owner asked for it.').count()).toBe(0);
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);
});

/** A rule is removed after a question that names it. */
async function removeRule(): Promise<void> {
  const { payouts } = operatorTexts;
  await desk.getByRole('button', { name: 'Change USDT on Local demo chain' }).click();
  const sheet = desk.getByRole('dialog', { name: 'USDT on Local demo chain', exact: true });
  await sheet.getByRole('button', { name: payouts.removeRule }).click();
  const question = desk.getByRole('dialog', {
    name: 'Remove the rule of USDT on Local demo chain?',
  });
  await question.getByText(payouts.removeRuleLead).waitFor();
  await expectSound(desk);
  await question.getByRole('button', { name: payouts.removeRule }).click();
  await desk.getByText('Version 3').waitFor();
  await untilNothingIsOpen(desk);
}

test('an operator stops a currency, and changes the policy', async () => {
  await desk.getByRole('button', { name: 'Stop USDT' }).click();
  const stop = desk.getByRole('dialog', { name: 'Stop payouts in USDT?' });
  await stop.getByLabel(operatorTexts.money.auditReason).fill('An exchange is down.');
  await stop.getByRole('button', { name: operatorTexts.payouts.stop, exact: true }).click();
  await desk.getByText('Stopped: An exchange is down.').waitFor();
  await page.getByRole('button', { name: withdraw.again }).click();
  await page.getByLabel(withdraw.amount).fill('9');
  await page.getByRole('button', { name: withdraw.seeTerms, exact: true }).click();
  await page.getByRole('alert').getByText('stopped for the moment').waitFor();
  await desk.getByRole('button', { name: 'Resume USDT' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: 'Resume', exact: true }).click();
  await untilNothingIsOpen(desk);
  await desk.getByRole('button', { name: 'Change USDT on Local demo chain' }).click();
  const rule = desk.getByRole('dialog');
  await rule.getByLabel(operatorTexts.payouts.amounts.minimum).fill(RULE.fee);
  await rule.getByRole('button', { name: operatorTexts.payouts.saveRule }).click();
  await rule.getByRole('alert').filter({ hasText: /\S/ }).first().waitFor();
  theirs.expectRefused('400 PUT /operator/payout-policy');
  await expectSound(desk);
  await rule.getByLabel(operatorTexts.payouts.amounts.minimum).fill('8');
  await rule.getByRole('button', { name: operatorTexts.payouts.saveRule }).click();
  await desk.getByText('Version 2').waitFor();
  await page.goto('/wallets/withdraw');
  await page.getByText('8.00').waitFor();
  await removeRule();
  const isExpected = (error: string): boolean => error === 'refused: 409 GET /payouts/quote';
  expect(own.consoleErrors.filter((error) => !isExpected(error))).toEqual([]);
  expect(theirs.consoleErrors).toEqual([]);
});
