/**
 * A refused form: the focus moves to the first wrong field, which shows the reason; otherwise the
 * form shows it, and the focus stays.
 */
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { readCode } from '../../service/test/demo/http-client.ts';
import { closeWithoutErrors, startBrowserFixture } from './support/browser-fixture.ts';
import { expectFocus, expectWrong, refuseOnce } from './support/focus.ts';
import { signUpByApi } from './support/seed.ts';
import { texts } from './support/texts.ts';
import { newPerson, openSecurity, overview, signIn } from './support/user-flows.ts';
import type { WatchedWindow } from './support/watched-page.ts';

const stage = startBrowserFixture();
let window: WatchedWindow;
let page: Page;

beforeEach(async () => {
  window = await stage.open();
  page = window.page;
  return () => closeWithoutErrors(window);
});

test('a registration is corrected field by field, by keyboard', async () => {
  const person = newPerson();
  const [email, nickname, password, referral] = [
    'Email',
    'Nickname',
    'Password',
    'Referral code',
  ].map((label) => page.getByLabel(label, { exact: true }));
  if (!email || !nickname || !password || !referral) throw new Error('a field is missing');
  await page.goto('/');
  await page.getByRole('button', { name: 'Create account' }).click();
  await password.press('Enter');
  await expectWrong(page, email, 'Please fill this in.');
  // The focus is in the wrong field already, so the change is announced.
  await email.press('Enter');
  await page.getByRole('alert').getByText('Please fill this in.').waitFor();

  await email.fill('a@b');
  await nickname.fill('n'.repeat(41));
  await password.fill(person.password);
  await referral.fill('NOSUCHX');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expectWrong(page, nickname, 'A nickname has 1 to 40 characters.');
  await nickname.fill(person.nickname);
  await nickname.press('Enter');
  await expectWrong(page, email, 'does not look like an email address');
  window.expectRefused('400 POST /user/register');

  await email.fill(person.email);
  await nickname.press('Enter');
  await expectWrong(page, referral, texts.common.fieldProblem.referral_code.unknown);
  expect(await nickname.getAttribute('aria-invalid')).toBeNull();
  window.expectRefused('400 POST /user/register');

  await referral.fill('');
  await nickname.fill('\u200b\u200b');
  await nickname.press('Enter');
  await expectWrong(page, nickname, 'Please leave out characters that cannot be seen.');
  window.expectRefused('400 POST /user/register');
  await nickname.fill(person.nickname);
  await refuseOnce(page, 'POST **/user/register', 500, 'internal_error');
  const submit = page.getByRole('button', { name: 'Create account' });
  await submit.press('Enter');
  await page.getByRole('alert').getByText(texts.common.problem.internal_error).waitFor();
  await expectFocus(page, submit);
  window.expectRefused('500 POST /user/register');
});

test('a busy button keeps its name and the focus, and is pressed once', async () => {
  const person = newPerson();
  await page.goto('/');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  let asked = 0;
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/user/login-with-password', async (route) => {
    asked++;
    await held;
    await route.fulfill({
      status: 429,
      contentType: 'application/problem+json',
      body: JSON.stringify({ status: 429, code: 'rate_limited' }),
    });
  });
  const submit = page.getByRole('button', { name: 'Sign in', exact: true });
  await submit.focus();
  await page.keyboard.press('Enter');
  await submit.and(page.locator('[aria-busy]')).waitFor();
  await page.keyboard.press('Enter');
  await page.getByLabel('Email').press('Enter');
  await submit.focus();
  answer();
  await page.getByRole('alert').getByText('Too many attempts.').waitFor();
  await expectFocus(page, submit);
  expect(asked).toBe(1);
  window.expectRefused('429 POST /user/login-with-password');
});

test('after a reset the focus is on the password', async () => {
  const person = newPerson();
  await signUpByApi(stage.service.baseUrl, person);
  await page.goto('/');
  await page.getByLabel('Email').fill(person.email);
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByLabel('New password', { exact: true }).fill(`${person.password} anew`);
  await page.getByLabel('Code').fill(await readCode(stage.service.baseUrl, person.email));
  await page.getByRole('status').getByText('Your password is changed.').waitFor();
  await expectFocus(page, page.getByLabel('Password', { exact: true }));
});

test('a sheet shows the error beside the field, and confirms success', async () => {
  const person = newPerson();
  await signUpByApi(stage.service.baseUrl, person);
  await page.goto('/');
  await signIn(page, stage.service.baseUrl, person);
  await overview(page).waitFor();
  await openSecurity(page);
  const change = page.getByRole('button', { name: 'Change nickname' });
  await change.press('Enter');
  const nickname = page.getByRole('dialog').getByLabel('Nickname');
  await nickname.fill('   ');
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
  await expectWrong(page, nickname, 'Please fill this in.');
  await nickname.fill('n'.repeat(41));
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
  await expectWrong(page, nickname, 'A nickname has 1 to 40 characters.');
  window.expectRefused('400 PATCH /me');
  await nickname.fill('Countess');
  await nickname.press('Enter');
  await page.getByRole('status').getByText('Saved.').waitFor();
  await expectFocus(page, change);

  const changePassword = page.getByRole('button', { name: 'Change password' });
  await changePassword.press('Enter');
  const [before, next] = [
    page.getByLabel('Current password'),
    page.getByLabel('New password', { exact: true }),
  ];
  await before.fill('not the password');
  await next.fill('short');
  await next.press('Enter');
  await page.getByRole('alert').getByText('At least 8 characters').waitFor();
  await next.fill(`${person.password} anew`);
  await next.press('Enter');
  await expectWrong(page, before, 'The password is not right.');
  window.expectRefused('401 POST /me/password');
  await before.fill(person.password);
  await before.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expectFocus(page, changePassword);

  // No request is sent, because the service would count a wrong password.
  await page.getByRole('button', { name: 'Close my account' }).press('Enter');
  const closing = page.getByRole('dialog').getByLabel('Password', { exact: true });
  await closing.press('Enter');
  await expectWrong(page, closing, 'Please fill this in.');
  await page.keyboard.press('Escape');

  // After signing out on purpose the next sign-in begins at the overview.
  await page.getByRole('button', { name: 'Sign out' }).press('Enter');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/');
});
