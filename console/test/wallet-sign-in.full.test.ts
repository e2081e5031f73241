/** Sign-in with wallets of the browser. */
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { readCode } from '../../service/test/demo/http-client.ts';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { addWallets, type FakeWallets } from './support/fake-wallets.ts';
import { texts } from './support/texts.ts';
import { newPerson, openSecurity, overview, signUpFromStart } from './support/user-flows.ts';
import { findAccessibilityProblems, type WatchedWindow } from './support/watched-page.ts';

const stage = startBrowserFixture();
let window: WatchedWindow;
let page: Page;
let wallets: FakeWallets;

beforeEach(async () => {
  window = await stage.open();
  page = window.page;
  wallets = await addWallets(page);
  return async () => {
    await window.close();
    expect(window.consoleErrors).toEqual([]);
  };
});

const continueWith = (name: string) => page.getByRole('button', { name: `Continue with ${name}` });

test('a user links wallets, signs in with each, and declines', async () => {
  const person = newPerson();
  await signUpFromStart(page, stage.service.baseUrl, person);
  await openSecurity(page);
  const linkOf = (name: string) => page.getByRole('button', { name: `Link the wallet ${name}` });
  await linkOf(wallets.ethereum.name).waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  wallets.declineNext();
  await linkOf(wallets.ethereum.name).click();
  await page.getByText(texts.security.walletDeclined).waitFor();
  for (const { name, address } of [wallets.ethereum, wallets.solana]) {
    await linkOf(name).click();
    await page.getByText(`${address.slice(0, 6)}…${address.slice(-4)} · Last used`).waitFor();
  }
  expect(await findAccessibilityProblems(page)).toEqual([]);
  for (const { name } of [wallets.ethereum, wallets.solana]) {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await continueWith(name).waitFor();
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await continueWith(name).click();
    await page.getByRole('heading', { name: 'One more step' }).waitFor();
    const code = await readCode(stage.service.baseUrl, person.email);
    await page.getByLabel('Code', { exact: true }).fill(code);
    await overview(page).waitFor();
    await openSecurity(page);
  }
});

test('a wallet that no account has linked, and one whose owner declines', async () => {
  await page.goto('/');
  await continueWith(wallets.ethereum.name).click();
  await page.getByText('No account has linked this wallet.').waitFor();
  window.expectRefused('403 POST /user/login/wallet/finish');
  wallets.declineNext();
  await continueWith(wallets.solana.name).click();
  await page.getByText(texts.signIn.wallet.declined).waitFor();
});
