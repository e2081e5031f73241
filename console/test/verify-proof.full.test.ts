/** "Verify in this browser" in a real browser, on a proof that the service made. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { makeProof, PROVEN_HOUR, stubProof, tamperProof } from './support/proof.ts';
import { openOperator, payRewards, signUpByApi } from './support/seed.ts';
import { texts } from './support/texts.ts';
import { newPerson } from './support/user-flows.ts';
import { findAccessibilityProblems, type WatchedWindow } from './support/watched-page.ts';

const stage = startBrowserFixture();
let window: WatchedWindow;
let page: Page;
let proof = '';

beforeAll(async () => {
  proof = await makeProof();
  const person = newPerson();
  const account = await signUpByApi(stage.service.baseUrl, person);
  const operator = await openOperator(stage.service);
  await payRewards(operator, account.userId, [
    { amount: '1', reward_type: 'TRAFFIC', event_at: PROVEN_HOUR },
  ]);
  window = await stage.openAs(person);
  page = window.page;
  await stubProof(page, () => proof);
});

async function verifyHere(): Promise<void> {
  await page.goto('/wallets?wallet=bonus');
  await page.getByRole('list', { name: 'Activity' }).locator('[data-entry]').first().click();
  await page.getByRole('button', { name: 'Verify in this browser' }).click();
}

test('a valid proof passes: signature, calculation, reports, path and seal', async () => {
  await verifyHere();
  await page.getByText(texts.wallets.proof.holds).waitFor();
  expect(
    await page.getByRole('term').filter({ hasText: 'Rate' }).locator('+ dd').textContent(),
  ).toBe('2.00 EDGE / GB');
  expect(await page.locator('li[data-passed=true]').count()).toBe(8);
  expect(await findAccessibilityProblems(page)).toEqual([]);
});

test('a proof whose amount does not follow from its rules is invalid', async () => {
  proof = tamperProof(proof, ({ line }) => {
    line.rate = '1';
  });
  await verifyHere();
  await page.getByText(texts.wallets.proof.fails).waitFor();
  expect(
    await page.locator('li[data-passed=true]', { hasText: 'A published key signed it' }).count(),
  ).toBe(1);
  expect(
    await page.locator('li[data-passed=false]', { hasText: 'calculated again here' }).count(),
  ).toBe(1);
  expect(window.consoleErrors).toEqual([]);
});
