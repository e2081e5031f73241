/**
 * Recovery codes of a user whose only strong factor is a passkey: they replace it wherever it is
 * required.
 */
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { readCode } from '../../service/test/demo/http-client.ts';
import { closeWithoutErrors, startBrowserFixture } from './support/browser-fixture.ts';
import { refuseOnce } from './support/focus.ts';
import { signUpWithPasskey } from './support/passkey.ts';
import { texts } from './support/texts.ts';
import { newPerson, openSecurity, overview, type Person } from './support/user-flows.ts';
import type { WatchedWindow } from './support/watched-page.ts';

const stage = startBrowserFixture();
let window: WatchedWindow;
let page: Page;
let person: Person;
/** Each code is valid once. */
let codes: string[];

/** Registers a user with a passkey and no other strong factor, and opens the security page. */
beforeEach(async () => {
  window = await stage.open();
  page = window.page;
  person = newPerson();
  codes = await signUpWithPasskey(page, stage.service.baseUrl, person);
  return () => closeWithoutErrors(window);
});

async function signOut(): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}

async function giveRecoveryCode(): Promise<void> {
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(codes.pop() ?? '');
  await page.getByRole('button', { name: 'Verify' }).click();
}

async function signInWithRecoveryCode(password: string): Promise<void> {
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await giveRecoveryCode();
  // After signing out on purpose the next sign-in begins at the overview.
  await overview(page).waitFor();
  expect(new URL(page.url()).pathname).toBe('/');
  await openSecurity(page);
}

test('recovery codes sign in', async () => {
  await signOut();
  await signInWithRecoveryCode(person.password);
  await page.getByText('9 codes are left.').waitFor();
});

test('recovery codes reset a forgotten password', async () => {
  await signOut();
  const password = `a new one for ${person.email}`;
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  await page.getByLabel('Email').fill(person.email);
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page
    .getByLabel('Code', { exact: true })
    .fill(await readCode(stage.service.baseUrl, person.email));
  await giveRecoveryCode();
  await page.getByText('Your password is changed.').waitFor();
  await signInWithRecoveryCode(password);
  await page.getByText('8 codes are left.').waitFor();
});

test('recovery codes confirm the identity again', async () => {
  await refuseOnce(page, 'POST **/me/authenticator', 403, 'reauthentication_required');
  await page.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog', { name: texts.security.proof.title });
  await dialog.getByLabel('Password', { exact: true }).fill(person.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await giveRecoveryCode();
  await page.getByText('Scan this with your authenticator app').waitFor();
  window.expectRefused('403 POST /me/authenticator');
  expect(codes).toHaveLength(9);
});
