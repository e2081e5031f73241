/** Registration and sign-in, in a real browser against the real service. */
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { readCode } from '../../service/test/demo/http-client.ts';
import { closeWithoutErrors, startBrowserFixture } from './support/browser-fixture.ts';
import { expectFocus } from './support/focus.ts';
import { signUpByApi } from './support/seed.ts';
import { texts } from './support/texts.ts';
import {
  newPerson,
  openSecurity,
  overview,
  signIn,
  signUpFromStart,
} from './support/user-flows.ts';
import { findAccessibilityProblems, type WatchedWindow } from './support/watched-page.ts';

const stage = startBrowserFixture();
let window: WatchedWindow;
let page: Page;

beforeEach(async () => {
  window = await stage.open({ viewport: { width: 320, height: 640 } });
  page = window.page;
  return () => closeWithoutErrors(window);
});

test('a new user signs up with a referral link by keyboard, and survives a reload', async () => {
  const referrer = await signUpByApi(stage.service.baseUrl, newPerson('Grace'));
  const person = newPerson();
  await page.goto(`/?ref=${referrer.referralCode}`);
  await page.getByRole('heading', { name: 'Create your account' }).waitFor();
  expect(await page.getByLabel('Referral code').inputValue()).toBe(referrer.referralCode);
  await page.getByText('Grace invites you').waitFor();
  await page.getByText('This network has not started paying rewards yet.').waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  // The first field has the focus; each further one is a Tab away (the button that shows the
  // password is between).
  await page.keyboard.type(person.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(person.nickname);
  await page.keyboard.press('Tab');
  await page.keyboard.type(person.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Confirm your email' }).waitFor();
  await page.keyboard.type(await readCode(stage.service.baseUrl, person.email));
  await overview(page).waitFor();
  await page.reload();
  await overview(page).waitFor();
  const stored = await page.evaluate(() =>
    JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
  );
  expect(stored).not.toMatch(/eyJ|token|secret|verifier/i);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});

test('a link with an unknown code says so, and registers without it', async () => {
  await page.goto('/?ref=ABCDEFGH');
  await page.getByText(texts.signIn.invitation.unknown).waitFor();
  window.expectRefused('404 GET /user/invitations/ABCDEFGH');
  await page.getByLabel('Referral code').fill('');
  expect(await findAccessibilityProblems(page)).toEqual([]);
});

test.each([
  ['both', [true, true, true]],
  ['uptime', [true, false, false]],
  ['traffic', [false, true, true]],
  ['notPaying', [false, false, false]],
] as const)('a link promises what the rules pay: %s', async (offer, kinds) => {
  const [has_uptime, has_traffic, has_referral] = kinds;
  const paid = { is_paying: has_uptime || has_traffic, has_uptime, has_traffic, has_referral };
  await page.route('**/user/invitations/*', (route) =>
    route.fulfill({ json: { nickname: 'Grace', ...paid } }),
  );
  await page.goto('/?ref=ABCDEFGH');
  const { referral, ...offers } = texts.signIn.invitation;
  await page.getByText(offers[offer], { exact: true }).waitFor();
  expect(await page.getByText(referral).count()).toBe(has_referral ? 1 : 0);
});

test('the address can be corrected, and the code requested again', async () => {
  const person = newPerson();
  await page.goto('/');
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  expect(await fits()).toBe(true);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByLabel('Email').fill(`wrong.${person.email}`);
  await page.getByLabel('Nickname').fill(person.nickname);
  await page.getByLabel('Password', { exact: true }).fill('password1');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByText(texts.common.fieldProblem.any.common_password).waitFor();
  window.expectRefused('400 POST /user/register');
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Confirm your email' }).waitFor();
  expect(await fits()).toBe(true);
  await page.goBack();
  await page.getByLabel('Email').fill(person.email);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Confirm your email' }).waitFor();
  const first = await readCode(stage.service.baseUrl, person.email);
  await page.getByRole('button', { name: 'Send a new code' }).click();
  await page.getByText('Sent. It can take a minute').waitFor();
  const second = await readCode(stage.service.baseUrl, person.email);
  expect(second).not.toBe(first);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  // Pasted with the surrounding text of the mail.
  await page.getByLabel('Code').focus();
  await page.evaluate(
    (text) => document.execCommand('insertText', false, text),
    `Your code of today: ${second.slice(0, 3)} ${second.slice(3)}. `,
  );
  await overview(page).waitFor();
});

test('a reload before the code keeps the form except the password', async () => {
  const person = newPerson();
  const { register, heading } = {
    register: page.getByRole('button', { name: 'Create account' }),
    heading: page.getByRole('heading', { name: 'Confirm your email' }),
  };
  await page.goto('/');
  await register.click();
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Nickname').fill(person.nickname);
  const password = page.getByLabel('Password', { exact: true });
  await password.fill(person.password);
  await register.click();
  await heading.waitFor();
  for (let times = 0; times < 2; times++) {
    await page.reload();
    await page.getByRole('status').getByText(texts.signIn.register.reloaded).waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(person.email);
    expect(await page.getByLabel('Nickname').inputValue()).toBe(person.nickname);
    expect(await password.inputValue()).toBe('');
    await expectFocus(page, password);
  }
  const kept = await page.evaluate(() =>
    JSON.stringify([history.state, Object.entries(localStorage), Object.entries(sessionStorage)]),
  );
  expect(kept).toContain(person.email);
  expect(kept).not.toContain(person.password);
  // No other form of it either: no stored value is as long as a ticket.
  expect(kept).not.toMatch(/[\w-]{40}/);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await password.fill(person.password);
  await register.click();
  await heading.waitFor();
  await page.getByLabel('Code').fill(await readCode(stage.service.baseUrl, person.email));
  await overview(page).waitFor();
  expect(await page.evaluate(() => JSON.stringify(history.state))).not.toContain(person.email);
});

test('"back" leads through the steps, and after signing in leaves the page', async () => {
  const person = newPerson();
  await page.goto('/authorize');
  await page.goto('/');
  const signInHeading = page.getByRole('heading', { name: 'Sign in' });
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Create your account' }).waitFor();
  await page.goBack();
  await signInHeading.waitFor();
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByLabel('Nickname').fill(person.nickname);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Confirm your email' }).waitFor();
  await page.goBack();
  expect(await page.getByLabel('Nickname').inputValue()).toBe(person.nickname);
  // There is no forward entry, and the input stays.
  await page.evaluate(() => history.forward());
  expect(await page.getByLabel('Nickname').inputValue()).toBe(person.nickname);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Confirm your email' }).waitFor();
  await page.getByLabel('Code').fill(await readCode(stage.service.baseUrl, person.email));
  await overview(page).waitFor();
  await page.goBack();
  expect(new URL(page.url()).pathname).toBe('/authorize');
});

test('an error is shown beside its field or above the button', async () => {
  const person = newPerson();
  await signUpByApi(stage.service.baseUrl, person);
  await page.goto('/');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Please fill this in.').first().waitFor();
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').getByText(texts.common.problem.invalid_credentials).waitFor();
  window.expectRefused('401 POST /user/login-with-password');
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Code').fill('12');
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText('The code has six digits.').waitFor();
  const right = await readCode(stage.service.baseUrl, person.email);
  await page.getByLabel('Code').fill(right === '000000' ? '000001' : '000000');
  await page.getByRole('alert').getByText('4 attempts left.').waitFor();
  window.expectRefused('401 POST /user/login/2fa');
  await page.getByLabel('Code').fill(right);
  await overview(page).waitFor();
});

test('the last wrong code restarts a sign-in; for a new account it offers a new code', async () => {
  let person = newPerson();
  await signUpByApi(stage.service.baseUrl, person);
  const spend = async (last: string, refused: string): Promise<void> => {
    const right = await readCode(stage.service.baseUrl, person.email);
    for (const words of [
      '4 attempts left',
      '3 attempts left',
      '2 attempts left',
      texts.common.problem.invalid_code_tries_one,
      last,
    ]) {
      await page.getByLabel('Code').fill(right === '000000' ? '000001' : '000000');
      await page.getByRole('alert').getByText(words).waitFor();
      window.expectRefused(refused);
      if (words !== last) await page.getByLabel('Code').clear();
    }
  };
  await page.goto('/');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'One more step' }).waitFor();
  await spend(texts.common.problem.invalid_code_last, '401 POST /user/login/2fa');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();

  person = newPerson();
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Nickname').fill(person.nickname);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Confirm your email' }).waitFor();
  await spend(texts.signIn.register.lastTry, '401 POST /user/register/verify');
  await page.getByRole('button', { name: 'Send a new code' }).click();
  await page.getByText('Sent. It can take a minute').waitFor();
  await page.getByLabel('Code').fill(await readCode(stage.service.baseUrl, person.email));
  await overview(page).waitFor();
});

test('a lost response at the last step can be retried with one press', async () => {
  const person = newPerson();
  await signUpByApi(stage.service.baseUrl, person);
  await page.goto('/');
  await page.route('**/oauth2/token', (route) => route.abort(), { times: 1 });
  await signIn(page, stage.service.baseUrl, person);
  await page.getByRole('alert').getByText('cannot be reached').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await overview(page).waitFor();
});

test('a forgotten password is replaced', async () => {
  const person = newPerson();
  await signUpByApi(stage.service.baseUrl, person);
  await page.goto('/');
  await page.getByLabel('Email').fill(person.email);
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  await page.getByRole('button', { name: 'Send code' }).click();
  const password = page.getByLabel('New password', { exact: true });
  await password.fill('password1');
  const wrong =
    (await readCode(stage.service.baseUrl, person.email)) === '000000' ? '000001' : '000000';
  // When the code is used up, the page offers another one.
  for (const words of [
    '4 attempts left',
    '3 attempts left',
    '2 attempts left',
    texts.common.problem.invalid_code_tries_one,
    texts.signIn.reset.expired,
  ]) {
    await page.getByLabel('Code').fill(wrong);
    await page.getByRole('alert').getByText(words).waitFor();
    window.expectRefused('401 POST /user/password/reset/verify');
    if (words.includes('left')) await page.getByLabel('Code').clear();
  }
  await page.getByRole('button', { name: 'Send code' }).click();
  await password.waitFor();
  const first = await readCode(stage.service.baseUrl, person.email);
  await page.getByRole('button', { name: 'Send a new code' }).click();
  await page.getByText('Sent. It can take a minute').waitFor();
  const second = await readCode(stage.service.baseUrl, person.email);
  expect(second).not.toBe(first);
  await password.fill('password1');
  await page.getByLabel('Code').fill(second);
  await page.getByText(texts.common.fieldProblem.any.common_password).waitFor();
  window.expectRefused('400 POST /user/password/reset/verify');
  const renewed = { ...person, password: `${person.password} anew` };
  await password.fill(renewed.password);
  await page.getByRole('button', { name: 'Save new password' }).click();
  await page.getByText('Your password is changed.').waitFor();
  await signIn(page, stage.service.baseUrl, renewed);
  await overview(page).waitFor();
});

test('the next user of the same browser sees nothing of the previous one', async () => {
  const [before, next] = [newPerson('Nia'), newPerson('Joan')];
  await signUpByApi(stage.service.baseUrl, next);
  await signUpFromStart(page, stage.service.baseUrl, before);
  await openSecurity(page);
  await page.getByText(before.email).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  // Requests from here on stay unanswered: what is shown comes from storage.
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.route('**/me', () => undefined);
  await signIn(page, stage.service.baseUrl, next);
  await page.getByRole('link', { name: 'Security' }).click();
  await page.getByRole('heading', { name: 'Security', exact: true }).waitFor();
  expect(await page.getByText(before.email).count()).toBe(0);
  await page.unroute('**/me');
  await page.reload();
  await page.getByText(next.email).waitFor();
});
