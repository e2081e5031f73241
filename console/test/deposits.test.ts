/** A deposit on a real local chain, watched by who made it: it appears, confirms block by block, and is credited. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitForCursor } from '../../service/test/demo/make-deposit.ts';
import { type DemoChain, startDemoChain } from '../../service/test/support/chains/demo-chain.ts';
import { newPerson, signUpFromStart } from './support/journey.ts';
import { openOperator } from './support/seed.ts';
import { setStage } from './support/stage.ts';
import { findAccessibilityProblems, type WatchedWindow } from './support/window.ts';

const CONFIRMATIONS = 3;

const stage = setStage();
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
}, 120_000);
afterAll(async () => {
  await chain?.stop();
});

test('money sent from outside appears, is counted block by block, and is credited while the page is open', async () => {
  await page.goto('/deposits');
  await page.getByLabel('Currency').first().selectOption('USDT');
  await page.getByLabel('Network').selectOption('LOCALNET');
  await page.getByRole('button', { name: 'Copy address' }).waitFor();
  const address =
    (await page
      .locator('code', { hasText: /^0x[0-9a-fA-F]{40}$/ })
      .first()
      .textContent()) ?? '';
  await page.getByRole('img', { name: /USDT/ }).waitFor();
  expect(await page.getByRole('note').textContent()).toContain('USDT');
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.getByText('No deposits yet').waitFor();

  await chain.pay(address, 25);
  for (let block = 1; block < CONFIRMATIONS; block++) {
    await chain.mine();
    await page.getByText(`${block} of ${CONFIRMATIONS}`).waitFor();
  }
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page
    .getByRole('list', { name: 'Deposits' })
    .getByRole('button', { name: /Confirming/ })
    .click();
  await page
    .getByRole('dialog', { name: 'Confirming' })
    .getByText(`${CONFIRMATIONS - 1} of ${CONFIRMATIONS}`)
    .waitFor();
  await chain.mine();
  await page.getByRole('dialog', { name: 'Credited' }).getByText(address).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Wallets' }).first().click();
  await page.getByRole('list', { name: 'Bills' }).getByText('Deposit').waitFor();
  expect(window.complaints).toEqual([]);
}, 90_000);
