/**
 * A deposit on a real local chain, seen by its owner: it appears, confirms block by block, and is
 * credited.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectOk } from '../../service/test/demo/http-client.ts';
import { waitForCursor } from '../../service/test/demo/make-deposit.ts';
import { type DemoChain, startDemoChain } from '../../service/test/support/chains/demo-chain.ts';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { decideDeposit, openOperator } from './support/seed.ts';
import { newPerson, signUpFromStart } from './support/user-flows.ts';
import {
  findAccessibilityProblems,
  untilNothingIsOpen,
  type WatchedWindow,
} from './support/watched-page.ts';

const CONFIRMATIONS = 3;
/** By the name that the operator gave, with the code that distinguishes it. */
const NETWORK = 'Local demo chain (LOCALNET)';

const stage = startBrowserFixture();
let chain: DemoChain;
let window: WatchedWindow;
let page: Page;

beforeAll(async () => {
  chain = await startDemoChain(CONFIRMATIONS);
  const { baseUrl } = stage.service;
  const operator = await openOperator(stage.service);
  await chain.configure(baseUrl, operator.token);
  await waitForCursor(baseUrl, operator.token);
  window = await stage.open();
  page = window.page;
  await signUpFromStart(page, baseUrl, newPerson());
});
afterAll(async () => {
  await chain?.stop();
});

test('a deposit appears, counts confirmations and is credited on the open page', async () => {
  await page.goto('/deposits');
  // The list below has an option with the same name.
  await page
    .getByRole('region', { name: 'Your deposit address' })
    .getByLabel('Currency')
    .selectOption('USDT');
  await page.getByLabel('Network').selectOption({ label: NETWORK });
  await page.getByRole('button', { name: 'Copy address' }).waitFor();
  const address =
    (await page
      .locator('code', { hasText: /^0x[0-9a-fA-F]{40}$/ })
      .first()
      .textContent()) ?? '';
  await page.getByRole('img', { name: /USDT/ }).waitFor();
  expect(await page.getByRole('note').textContent()).toContain(
    `Send only USDT, and only on the ${NETWORK} network`,
  );
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.getByText('No deposits yet').waitFor();

  await chain.pay(address, 25);
  for (let block = 1; block < CONFIRMATIONS; block++) {
    await chain.mine();
    await page.getByText(`${block} of ${CONFIRMATIONS}`).waitFor();
  }
  expect(await findAccessibilityProblems(page)).toEqual([]);
  const row = page
    .getByRole('list', { name: 'Deposits' })
    .getByRole('button', { name: /Confirming/ });
  await row.getByText('Local demo chain', { exact: true }).waitFor();
  await row.click();
  const details = page.getByRole('dialog', { name: 'Confirming' });
  await details.getByText(`${CONFIRMATIONS - 1} of ${CONFIRMATIONS}`).waitFor();
  await details.getByText(NETWORK, { exact: true }).waitFor();
  await chain.mine();
  await page.getByRole('dialog', { name: 'Credited' }).getByText(address).waitFor();
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);
  await page.getByRole('link', { name: 'Wallets' }).first().click();
  await page.getByRole('list', { name: 'Activity' }).getByText('Deposit').click();
  await page.getByRole('dialog', { name: 'Deposit' }).getByText(NETWORK, { exact: true }).waitFor();
  expect(window.consoleErrors).toEqual([]);
});

test('the reason of a held deposit is translated; an operator’s remark is not', async () => {
  const { baseUrl } = stage.service;
  const operator = await openOperator(stage.service);
  const { token } = operator;
  await page.goto('/deposits');
  await page.evaluate(() => localStorage.setItem('edge-language', 'zh'));
  await page.goto('/deposits');
  const list = page.getByRole('list', { name: '充值记录' });
  const { address } = (
    await expectOk<{ records: { address: string }[] }>(
      `${baseUrl}/operator/deposits?current=1&size=20`,
      { token },
    )
  ).records[0] ?? {
    address: '',
  };
  await chain.pay(address, 40);
  await chain.mine();
  await list.getByRole('button', { name: /40\.00/ }).waitFor();
  const [held] = (
    await expectOk<{ records: { id: number }[] }>(
      `${baseUrl}/operator/deposits?current=1&size=20`,
      { token },
    )
  ).records;

  await decideDeposit(operator, held?.id, 'hold');
  await list.getByRole('button', { name: /40\.00/ }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByText('运营方正在审核。').waitFor();
  expect(await sheet.getByText('An operator').count()).toBe(0);
  await decideDeposit(operator, held?.id, 'reject', 'The sender is on a list.');
  await sheet.getByText('运营方决定不予入账。').waitFor();
  await sheet.getByText('The sender is on a list.').waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
});
