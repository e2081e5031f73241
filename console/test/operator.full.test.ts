/** The operator pages, for users with operator scopes and a recent strong sign-in. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectOk } from '../../service/test/demo/http-client.ts';
import {
  DEMO_NETWORK,
  type DemoChain,
  makeAccountKey,
  startDemoChain,
} from '../../service/test/support/chains/demo-chain.ts';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { expectFocus, expectWrong, refuseOnce } from './support/focus.ts';
import { becomeOperator, confirmOperator } from './support/operator-journey.ts';
import { type Operator, openOperator, payRewards, signUpByApi } from './support/seed.ts';
import { texts } from './support/texts.ts';
import { newPerson, type Person } from './support/user-flows.ts';
import {
  addVirtualAuthenticator,
  findAccessibilityProblems,
  findOverflow,
  resize,
  untilNothingIsOpen,
  type WatchedWindow,
} from './support/watched-page.ts';
import { openReceiver, type Receiver } from './support/webhook-receiver.ts';

const stage = startBrowserFixture({ OUTGOING_LOOPBACK: 'allow' });
let chain: DemoChain;
let operator: Operator;
let receiver: Receiver;

beforeAll(async () => {
  [chain, receiver] = await Promise.all([startDemoChain(), openReceiver()]);
});
afterAll(async () => {
  await chain?.stop();
  receiver?.close();
});

/** Accessible in both themes, without horizontal scrolling. */
async function expectSound(page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findAccessibilityProblems(page)).toEqual([]);
  }
  expect(await findOverflow(page)).toEqual([]);
}

interface NetworkState {
  readonly network: string;
  readonly required_confirmations: number;
  readonly cursor_height: number;
  readonly cursor_hash: string;
}

async function readNetwork(): Promise<NetworkState | undefined> {
  const chains = await expectOk<NetworkState[]>(`${stage.service.baseUrl}/operator/chains`, {
    token: operator.token,
  });
  return chains.find(({ network }) => network === DEMO_NETWORK);
}

async function requiredConfirmations(): Promise<number | undefined> {
  return (await readNetwork())?.required_confirmations;
}

/** A running network gets more confirmations and one more currency. */
async function configureChain(page: Page): Promise<void> {
  const item = page.getByRole('row').filter({ hasText: 'Local demo chain' });
  await item.getByText('Running').waitFor();
  await item.getByRole('button', { name: 'Set up Local demo chain' }).click();
  const sheet = page.getByRole('dialog', { name: 'Local demo chain' });
  await sheet.getByLabel('Confirmations until a deposit is credited').fill('7');
  const { retire, retireLead, more, xpub } = texts.operator.chains;
  // The addresses of a lost key are retired: offered once there is another key.
  expect(await sheet.getByRole('switch', { name: retire }).count()).toBe(0);
  await sheet.getByLabel(xpub).fill(makeAccountKey());
  const retiring = sheet.getByRole('switch', { name: retire, description: retireLead });
  await retiring.click();
  await sheet.getByText(more, { exact: true }).click();
  await sheet.getByLabel('Currency of its own coin').fill('ETH');
  await sheet.getByLabel(texts.operator.chains.numbers.poll_ms).fill('250');
  await sheet.getByRole('button', { name: 'Save network' }).click();
  await expect.poll(requiredConfirmations).toBe(7);
  expect(await readNetwork()).toMatchObject({ coin: 'ETH', poll_ms: 250 });
  await retiring.waitFor({ state: 'detached' });
  await sheet.getByLabel('Currency', { exact: true }).selectOption('ETH');
  await sheet.getByLabel('Smallest deposit').last().fill('0.01');
  await sheet.getByRole('button', { name: 'Add currency' }).click();
  await sheet.getByRole('button', { name: 'Save ETH' }).waitFor();
  await expectSound(page);
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);
  await item.getByText(/\bETH\b/).waitFor();
}

/** A network that is not built in; its code is not taken twice. */
async function addNetwork(page: Page): Promise<void> {
  const { add, codeTaken, endpoints } = texts.operator.chains;
  await page.getByRole('button', { name: add }).click();
  const form = page.getByRole('dialog', { name: add });
  await form.getByLabel('Code of the network').fill('polygon');
  await form.getByLabel('Name').fill('Gnosis');
  await form.getByLabel('Chain ID').fill('100');
  await expectSound(page);
  await form.getByRole('button', { name: add }).click();
  await form.getByText(codeTaken).first().waitFor();
  await form.getByLabel('Code of the network').fill('gnosis');
  await form.getByRole('button', { name: add }).click();
  const sheet = page.getByRole('dialog', { name: 'Gnosis' });
  await sheet.getByLabel(endpoints).waitFor();
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);
  await page.getByRole('row').filter({ hasText: 'Gnosis' }).waitFor();
}

/** A network is halted with a reason, which is shown in its row. */
async function haltChain(page: Page, item: Locator): Promise<void> {
  const why = 'The node was exchanged.';
  await item.getByRole('button', { name: 'Set up Local demo chain' }).click();
  const sheet = page.getByRole('dialog', { name: 'Local demo chain' });
  await sheet.getByRole('button', { name: 'Halt this network' }).click();
  const reason = sheet.getByLabel(texts.operator.chains.haltReason);
  await expectWrong(page, reason, texts.common.required);
  await reason.fill(why);
  await expectSound(page);
  await sheet.getByRole('button', { name: 'Halt this network' }).click();
  await untilNothingIsOpen(page);
  await item.getByText('Halted').waitFor();
  await item.getByText(why).waitFor();
}

/** A halted network resumes from a block that the operator names; an unknown block is refused. */
async function resumeChain(page: Page, expectRefused: (request: string) => void): Promise<void> {
  const item = page.getByRole('row').filter({ hasText: 'Local demo chain' });
  await haltChain(page, item);
  const { cursor_height, cursor_hash } = (await readNetwork()) ?? {
    cursor_height: 0,
    cursor_hash: '',
  };
  await item.getByRole('button', { name: 'Set up Local demo chain' }).click();
  const sheet = page.getByRole('dialog', { name: 'Local demo chain' });
  await sheet.getByLabel('Block height').fill(String(cursor_height));
  await sheet.getByLabel('Block hash').fill(`0x${'0'.repeat(64)}`);
  await sheet.getByRole('button', { name: 'Resume from this block' }).click();
  const question = page.getByRole('dialog', {
    name: `Resume Local demo chain from block ${cursor_height}?`,
  });
  await question.getByRole('button', { name: 'Resume from this block' }).click();
  await question.getByRole('alert').filter({ hasText: /./ }).waitFor();
  expectRefused(`409 POST /operator/chains/${DEMO_NETWORK}/resume`);
  await expectSound(page);
  await question.getByRole('button', { name: texts.shell.cancel }).click();
  await sheet.getByLabel('Block hash').fill(cursor_hash);
  await sheet.getByRole('button', { name: 'Resume from this block' }).click();
  await question.getByRole('button', { name: 'Resume from this block' }).click();
  await untilNothingIsOpen(page);
  await item.getByText('Running').waitFor();
}

/** Old blocks are read again for a missing deposit; the chain is asked what lies on addresses. */
async function searchChain(page: Page): Promise<void> {
  const unswept = page.getByRole('region', { name: texts.operator.chains.unswept });
  await unswept.getByLabel('Network').selectOption(DEMO_NETWORK);
  await unswept.getByText(texts.operator.chains.unsweptNone).waitFor();
  await expectSound(page);
  await page.getByRole('button', { name: 'Set up Local demo chain' }).click();
  const sheet = page.getByRole('dialog', { name: 'Local demo chain' });
  await sheet.getByLabel(texts.operator.chains.firstBlock, { exact: true }).fill('0');
  await sheet.getByRole('button', { name: texts.operator.chains.searchAgain }).click();
  await page.getByText('are read again').waitFor();
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);
}

/**
 * A receiver that refuses everything causes a dead letter; once it accepts, the letter is sent
 * again.
 */
async function redeliver(page: Page, sheet: Locator): Promise<void> {
  await sheet.getByLabel('Address (https)').fill(receiver.url);
  await sheet.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Details' }).click();
  await sheet.getByRole('button', { name: 'Send a test' }).click();
  await expect.poll(() => receiver.count()).toBe(1);
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);
  await page.reload();
  await page.getByText('1 dead letter').waitFor();
  await page.getByText('answered 410 Gone').waitFor();
  await page.getByRole('button', { name: 'Details' }).click();
  await sheet.getByText('answered 410').waitFor();
  await expectSound(page);
  receiver.accept();
  await sheet.getByRole('switch', { name: 'Send messages' }).click();
  await sheet.getByRole('button', { name: 'Send again', exact: true }).click();
  await sheet.getByText('Everything was delivered.').waitFor();
  await expect.poll(() => receiver.count()).toBe(2);
}

/** Also while a sheet covers it. */
async function openAccountMenu(page: Page): Promise<void> {
  await page
    .locator('[popovertarget=account-menu]')
    .evaluate((button) => (button as HTMLElement).click());
}

/**
 * An invalid address, or one that is never called, is reported beside the field in the language of
 * the reader.
 */
async function refuseAddresses(
  page: Page,
  expectRefused: WatchedWindow['expectRefused'],
): Promise<void> {
  const field = page.locator('input[name=url]');
  const refuse = async (address: string, words: string): Promise<void> => {
    await field.fill(address);
    await field.press('Enter');
    await expectWrong(page, field, words);
    expectRefused('400 POST /operator/webhooks');
  };
  await refuse('javascript:alert(1)', 'The address must begin with https://.');
  await refuse('https://10.0.0.1/', 'not on the public internet');
  await openAccountMenu(page);
  await page.getByRole('combobox', { name: 'Language' }).selectOption('中文');
  await page.getByRole('combobox', { name: '语言' }).waitFor();
  await refuse('http://10.0.0.1/', '地址必须以 https:// 开头');
  await refuse('https://user:word@example.com/', '这不是类似');
  await page.getByRole('combobox', { name: '语言' }).selectOption('English');
  await page.getByRole('combobox', { name: 'Language' }).waitFor();
}

/** A webhook is created, its secret shown once, tested, disabled and deleted. */
async function configureWebhook(
  page: Page,
  expectRefused: WatchedWindow['expectRefused'],
): Promise<void> {
  await page.getByRole('button', { name: 'Add a webhook' }).click();
  await refuseAddresses(page, expectRefused);
  await page.getByLabel('Address (https)').fill('https://hooks.example/edge');
  await page.getByLabel('Name').fill('Bookkeeping');
  await page.getByLabel('Events').fill('deposit.*');
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByText(/^whsec_/).waitFor();
  await page.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByRole('button', { name: 'Details' }).click();
  const sheet = page.getByRole('dialog', { name: 'Bookkeeping' });
  await sheet.getByText(texts.operator.webhooks.noneOf.delivered).waitFor();
  await sheet.getByText('Failed', { exact: true }).click();
  await sheet.getByText('Everything was delivered.').waitFor();
  await expectSound(page);
  await sheet.getByRole('switch', { name: 'Send messages' }).click();
  await page.getByText('Off', { exact: true }).waitFor();
  await sheet.getByRole('switch', { name: 'Send messages' }).click();
  await page.getByText('On', { exact: true }).waitFor();
  await sheet.getByRole('button', { name: 'New secret' }).click();
  await sheet.getByText(texts.operator.webhooks.rotated).waitFor();
  await sheet.getByText(/^whsec_/).waitFor();
  await expectSound(page);
  await sheet.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByRole('button', { name: 'Details' }).click();
  await redeliver(page, sheet);
  await sheet.getByRole('button', { name: 'Delete', exact: true }).click();
  await sheet.getByRole('button', { name: 'Really delete it' }).click();
  await page.getByText('No webhooks').waitFor();
}

/** The renewed sign-in, in a dialog above the open page. */
async function renewRight(renewal: Locator, { password }: Person): Promise<void> {
  await renewal.getByLabel('Password', { exact: true }).fill(password);
  await renewal.getByRole('button', { name: 'Sign in' }).click();
  await renewal.getByRole('button', { name: 'Use a passkey' }).click();
  await renewal.waitFor({ state: 'detached' });
}

/**
 * A background request whose operator scopes have ended shows a notice above the page; the sign-in
 * opens on request only.
 */
async function meetQuietEnd(page: Page, person: Person): Promise<void> {
  await refuseOnce(page, 'GET **/operator/rules', 403, 'insufficient_scope');
  await page.getByText('Rules', { exact: true }).click();
  const notice = page.getByRole('status').filter({ hasText: texts.operator.rightOver });
  await notice.waitFor();
  const renewal = page.getByRole('dialog', { name: texts.operator.confirm });
  expect(await renewal.count()).toBe(0);
  await expectSound(page);
  await notice.getByRole('button', { name: texts.operator.confirm }).click();
  await renewRight(renewal, person);
  await notice.waitFor({ state: 'detached' });
  await page.getByText('No rules yet').waitFor();
  await page.getByText(texts.operator.rules.noneLead).waitFor();
  await expectSound(page);
}

/** An empty ledger has no accounts; after a posting the books balance. */
async function checkBooks(page: Page, userId: number): Promise<void> {
  await page.getByText('Ledger', { exact: true }).click();
  await page.getByText('No postings yet').waitFor();
  await expectSound(page);
  const reward = { amount: '1', reward_type: 'BONUS', event_at: new Date().toISOString() };
  await payRewards(operator, userId, [reward]);
  await page.getByRole('button', { name: 'Check again' }).click();
  await page.getByText('EDGE: balanced').waitFor();
  await expectSound(page);
}

/** Each button names the user that it affects, and asks for a confirmation. */
async function declineDisabling(page: Page, nickname: string): Promise<void> {
  await page.getByRole('button', { name: `Disable ${nickname}`, exact: true }).click();
  const sheet = page.getByRole('dialog', { name: `Disable ${nickname}?` });
  await sheet.getByText(texts.operator.users.disableLead).waitFor();
  await expectSound(page);
  await sheet.getByRole('button', { name: 'Disable', exact: true }).click();
  await expectWrong(page, sheet.getByLabel('Reason'), texts.operator.users.reasonNeeded);
  await sheet.getByRole('button', { name: 'Cancel' }).click();
  await sheet.waitFor({ state: 'detached' });
  await expectFocus(page, page.getByRole('button', { name: `Disable ${nickname}`, exact: true }));
}

test('an operator confirms the identity, and sees all operator pages', async () => {
  const { page, consoleErrors, expectRefused } = await stage.open({
    viewport: { width: 320, height: 700 },
  });
  await addVirtualAuthenticator(page);
  const person = await becomeOperator(page, stage.service);
  operator = await openOperator(stage.service);
  await chain.configure(stage.service.baseUrl, operator.token);
  const grace = newPerson('Grace');
  const { userId } = await signUpByApi(stage.service.baseUrl, grace);
  await confirmOperator(page, person);
  await page.getByText('2 people', { exact: true }).waitFor();
  // On a phone the page of the person has this button.
  await resize(page, 1024);
  await page.getByRole('button', { name: 'Disable Grace', exact: true }).waitFor();
  // Operators have no button to disable themselves.
  await expect.poll(() => page.getByRole('button', { name: /^Disable / }).count()).toBe(1);
  await expectSound(page);
  await declineDisabling(page, grace.nickname);
  await resize(page, 320, 700);
  await page.getByText('Chains', { exact: true }).click();
  await page.getByText('Not set up').first().waitFor();
  await configureChain(page);
  await addNetwork(page);
  await resumeChain(page, expectRefused);
  await searchChain(page);
  await checkBooks(page, userId);
  const head = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Sign and save now' }).click();
  expect((await head).suggestedFilename()).toBe('ledger-head.json');
  const journal = page.waitForEvent('download');
  await page.getByRole('button', { name: texts.operator.ledger.saveJournal }).click();
  expect((await journal).suggestedFilename()).toBe('ledger.journal');
  await meetQuietEnd(page, person);
  expectRefused('403 GET /operator/rules');
  await page.getByRole('button', { name: 'Draft rules' }).click();
  await page.getByText('JSON', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Rules' }).fill('{"uptime":{"amount":"2.5"}}');
  // After a quarter of an hour the operator scopes have ended: the page asks for a sign-in, and the
  // draft stays.
  await refuseOnce(page, 'POST **/operator/rules', 403, 'insufficient_scope');
  await page.getByRole('button', { name: 'Save the draft' }).click();
  const renewal = page.getByRole('dialog', { name: texts.operator.confirm });
  await renewal.getByText(texts.operator.rightOver).waitFor();
  expectRefused('403 POST /operator/rules');
  await expectSound(page);
  expect(await renewal.getByLabel('Email').inputValue()).toBe(person.email);
  await renewRight(renewal, person);
  await page.getByText('Draft', { exact: true }).waitFor();
  await expectFocus(page, page.getByRole('button', { name: 'Draft rules' }));
  expect(await page.title()).toBe('Operator · Edge Account');
  await page.getByRole('button', { name: 'Dry run' }).first().click();
  await page.getByText('The last 24 hours').waitFor();
  await expectSound(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Activate' }).click();
  await page
    .getByRole('dialog', { name: 'Activate version 1?' })
    .getByRole('button', { name: 'Activate' })
    .click();
  await untilNothingIsOpen(page);
  await page.getByText('Active from').waitFor();
  expect(await page.getByRole('button', { name: 'Activate' }).count()).toBe(0);
  await page.getByText('Webhooks', { exact: true }).click();
  await page.getByText('No webhooks').waitFor();
  await configureWebhook(page, expectRefused);
  expect(consoleErrors).toEqual([]);
}, 200_000);
