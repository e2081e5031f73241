/**
 * Second factors: enrolled, used to sign in, replaced, and required again before sensitive changes.
 */
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { readCode } from '../../service/test/demo/http-client.ts';
import { closeWithoutErrors, startBrowserFixture } from './support/browser-fixture.ts';
import { refuseOnce } from './support/focus.ts';
import { signUpWithPasskey } from './support/passkey.ts';
import { texts } from './support/texts.ts';
import {
  newPerson,
  openSecurity,
  overview,
  type Person,
  signUpFromStart,
} from './support/user-flows.ts';
import {
  addVirtualAuthenticator,
  findAccessibilityProblems,
  untilNothingIsOpen,
  type WatchedWindow,
} from './support/watched-page.ts';

const stage = startBrowserFixture();
let window: WatchedWindow;
let page: Page;

beforeEach(async () => {
  window = await stage.open({ viewport: { width: 320, height: 640 } });
  page = window.page;
  return () => closeWithoutErrors(window);
});

/** Reauthenticates where the page requires it. */
async function confirmByEmail(person: Person): Promise<void> {
  const dialog = page.getByRole('dialog', { name: texts.security.proof.title });
  await dialog.getByLabel('Password', { exact: true }).fill(person.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByLabel('Code').waitFor();
  await dialog.getByLabel('Code').fill(await readCode(stage.service.baseUrl, person.email));
}

test('an authenticator app is enrolled, signs in, and a recovery code replaces it', async () => {
  const person = newPerson();
  await signUpFromStart(page, stage.service.baseUrl, person);
  await openSecurity(page);
  await page.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog', { name: 'Authenticator app' });
  const secret = await dialog.locator('code').textContent();
  const totp = new TOTP({ secret: Secret.fromBase32(secret ?? '') });
  await dialog.getByLabel('Code', { exact: true }).fill(totp.generate());
  const codes = page.getByRole('dialog', { name: 'Recovery codes' });
  const recoveryCode = (await codes.locator('li').first().textContent()) ?? '';
  expect(await codes.locator('li').count()).toBe(10);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  // The codes are shown only now: only a confirmation closes them.
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Escape');
  await codes.getByRole('button', { name: 'I have saved them' }).click();
  await untilNothingIsOpen(page);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();

  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('your authenticator app shows').waitFor();
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recoveryCode);
  await page.getByRole('button', { name: 'Verify' }).click();
  await openSecurity(page);
  await page.getByText('9 codes are left.').waitFor();
  // An irreversible action needs more than one press.
  await page.getByRole('button', { name: 'New codes' }).click();
  await page.getByText('stop working at once').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('9 codes are left.').waitFor();
  await page.getByRole('button', { name: 'Remove the authenticator app' }).click();
  await page.getByText('It is your only strong factor').waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Set up' }).waitFor();
});

test('a passkey is created, and signs in with one tap', async () => {
  const person = newPerson();
  await addVirtualAuthenticator(page);
  await signUpFromStart(page, stage.service.baseUrl, person);
  await openSecurity(page);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name of the passkey').fill('My phone');
  await page.evaluate(() => {
    const { create } = CredentialsContainer.prototype;
    navigator.credentials.create = () => {
      navigator.credentials.create = create;
      return Promise.reject(new DOMException('cancelled', 'NotAllowedError'));
    };
  });
  await page.getByRole('button', { name: 'Create passkey' }).click();
  // After cancelling, the page explains it, and enrolment can begin again.
  await page.getByRole('alert').getByText(texts.security.passkeyFailed).waitFor();
  await page.getByRole('button', { name: 'Create passkey' }).click();
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByText('My phone').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  // As in a browser in which it was not created.
  await page.evaluate(() => localStorage.removeItem('edge-passkey'));
  await page.reload();
  const byPasskey = page.getByRole('button', { name: texts.signIn.passkey.button });
  await byPasskey.waitFor();
  expect(await byPasskey.getAttribute('data-variant')).toBe('default');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await openSecurity(page);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await byPasskey.getAttribute('data-variant')).toBe('filled');
});

test('a passkey comes first where it was created, and signs in alone', async () => {
  const person = newPerson();
  await signUpWithPasskey(page, stage.service.baseUrl, person);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  const byPasskey = page.getByRole('button', { name: texts.signIn.passkey.button });
  expect(await byPasskey.getAttribute('data-variant')).toBe('filled');
  expect(await page.getByLabel('Email').getAttribute('autocomplete')).toBe('username webauthn');
  expect(await findAccessibilityProblems(page)).toEqual([]);
  // Declined, the page says so, and the password is still there.
  await page.evaluate(() => {
    const { get } = CredentialsContainer.prototype;
    navigator.credentials.get = () => {
      navigator.credentials.get = get;
      return Promise.reject(new DOMException('declined', 'NotAllowedError'));
    };
  });
  await byPasskey.click();
  await page.getByRole('alert').getByText(texts.signIn.passkey.declined).waitFor();
  await byPasskey.click();
  await openSecurity(page);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await byPasskey.getAttribute('data-variant')).toBe('filled');
  expect(await findAccessibilityProblems(page)).toEqual([]);
  // One that was removed is named as such.
  await stage.service.database.query('delete from passkey');
  await byPasskey.click();
  await page.getByRole('alert').getByText('it may have been removed').waitFor();
  window.expectRefused('401 POST /user/login/passkey/finish');
});

test('a passkey that is chosen in the field of the address signs in', async () => {
  const person = newPerson();
  await addVirtualAuthenticator(page, { isAutofillChosen: true });
  await signUpFromStart(page, stage.service.baseUrl, person);
  await openSecurity(page);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name of the passkey').fill('My phone');
  await page.getByRole('button', { name: 'Create passkey' }).click();
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await untilNothingIsOpen(page);
  const signedIn = page.waitForResponse('**/user/login/passkey/finish');
  await page.getByRole('button', { name: 'Sign out' }).click();
  expect((await signedIn).status()).toBe(200);
  await overview(page).waitFor();
});

test('a cancelled passkey prompt leaves the other factors usable', async () => {
  const person = newPerson();
  const [recoveryCode = ''] = await signUpWithPasskey(page, stage.service.baseUrl, person);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  // The prompt stays open until it is answered or the page cancels it.
  await page.evaluate(() => {
    navigator.credentials.get = (options) =>
      new Promise((_resolve, reject) => {
        options?.signal?.addEventListener('abort', () => reject(options.signal?.reason));
      });
  });
  const usePasskey = page.getByRole('button', { name: 'Use a passkey' });
  await usePasskey.click();
  await expect.poll(() => usePasskey.getAttribute('aria-busy')).toBe('true');
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recoveryCode);
  expect(await page.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'Verify' }).click();
  await openSecurity(page);
});

test('a change of the account needs a fresh reauthentication if the last one is old', async () => {
  const person = newPerson();
  await signUpFromStart(page, stage.service.baseUrl, person);
  await openSecurity(page);
  // The first response reports that the reauthentication is too old, as the service does later by
  // itself.
  await refuseOnce(page, 'POST **/me/authenticator', 403, 'reauthentication_required');
  await page.getByRole('button', { name: 'Set up' }).click();
  // A used step begins again, instead of refusing for ever.
  await refuseOnce(page, 'POST **/me/reauthenticate/2fa', 401, 'invalid_ticket');
  await confirmByEmail(person);
  await page.getByRole('alert').getByText(texts.security.proof.expired).waitFor();
  window.expectRefused('401 POST /me/reauthenticate/2fa');
  await confirmByEmail(person);
  await page.getByText('Scan this with your authenticator app').waitFor();
  window.expectRefused('403 POST /me/authenticator');
});
