/** Signing up and in, in a real browser against the real service. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { expectOk, readCode } from '../../service/test/demo/http-client.ts';
import { openBrowser, type TestBrowser } from '../../service/test/support/browser.ts';
import { type ServiceProcess, startService } from '../../service/test/support/service-process.ts';
import { newPerson, type Person, signIn, signUp } from './support/journey.ts';
import { openOperator, signUpByApi } from './support/seed.ts';
import { addVirtualAuthenticator, findAccessibilityProblems, openWindow, type WatchedWindow } from './support/window.ts';

let service: ServiceProcess;
let browser: TestBrowser;
let window: WatchedWindow;
let page: Page;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), openBrowser()]);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await service?.dispose();
});
beforeEach(async () => {
  window = await openWindow(browser.browser, service.baseUrl, { viewport: { width: 320, height: 640 } });
  page = window.page;
  return async () => {
    await window.context.close();
    expect(window.complaints).toEqual([]);
  };
});

const overview = () => page.getByRole('heading', { name: 'Earned today' });

async function openSecurity(): Promise<void> {
  await page.getByRole('link', { name: 'Security' }).click();
  await page.getByRole('heading', { name: 'Second factors' }).waitFor();
}

/** Confirms who one is, where the page asks for it. */
async function confirmByEmail(person: Person): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Is it you?' });
  await dialog.getByLabel('Password', { exact: true }).fill(person.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByLabel('Code').waitFor();
  await dialog.getByLabel('Code').fill(await readCode(service.baseUrl, person.email));
}

test('a new person signs up with a referral link, by keyboard alone, and stays signed in after a reload', async () => {
  const referrer = await signUpByApi(service.baseUrl, newPerson('Grace'));
  const person = newPerson();
  await page.goto(`/?ref=${referrer.referralCode}`);
  await page.getByRole('heading', { name: 'Create your account' }).waitFor();
  expect(await page.getByLabel('Referral code').inputValue()).toBe(referrer.referralCode);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  // The first field has the focus; every other one is a Tab away (the eye of the password lies between).
  await page.keyboard.type(person.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(person.nickname);
  await page.keyboard.press('Tab');
  await page.keyboard.type(person.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Confirm your email' }).waitFor();
  await page.keyboard.type(await readCode(service.baseUrl, person.email));
  await overview().waitFor();
  await page.reload();
  await overview().waitFor();
  const stored = await page.evaluate(() => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]));
  expect(stored).not.toMatch(/eyJ|token|secret|verifier/i);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
}, 60_000);

test('who mistyped the address goes back and corrects it; who waits for a code asks again', async () => {
  const person = newPerson();
  await page.goto('/');
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  expect(await fits()).toBe(true);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByLabel('Email').fill(`wrong.${person.email}`);
  await page.getByLabel('Nickname').fill(person.nickname);
  await page.getByLabel('Password', { exact: true }).fill('password1');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByText('Many people use this password').waitFor();
  window.expectRefused('400 POST /user/register');
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Confirm your email' }).waitFor();
  expect(await fits()).toBe(true);
  await page.goBack();
  await page.getByLabel('Email').fill(person.email);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Confirm your email' }).waitFor();
  const first = await readCode(service.baseUrl, person.email);
  await page.getByRole('button', { name: 'Send a new code' }).click();
  await page.getByText('Sent. It can take a minute').waitFor();
  const second = await readCode(service.baseUrl, person.email);
  expect(second).not.toBe(first);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  // As a mail program gives it: pasted with what stands around it.
  await page.getByLabel('Code').focus();
  await page.evaluate((text) => document.execCommand('insertText', false, text), ` ${second.slice(0, 3)} ${second.slice(3)} `);
  await overview().waitFor();
}, 60_000);

test('what is wrong is said beside the field or above the button', async () => {
  const person = newPerson();
  await signUpByApi(service.baseUrl, person);
  await page.goto('/');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Please fill this in.').first().waitFor();
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').getByText('Email or password is not right.').waitFor();
  window.expectRefused('401 POST /user/login-with-password');
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Code').fill('12');
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText('The code has six digits.').waitFor();
  const right = await readCode(service.baseUrl, person.email);
  await page.getByLabel('Code').fill(right === '000000' ? '000001' : '000000');
  await page.getByRole('alert').getByText('4 tries are left.').waitFor();
  window.expectRefused('401 POST /user/login/2fa');
  await page.getByLabel('Code').fill(right);
  await overview().waitFor();
}, 60_000);

test('a forgotten password is replaced', async () => {
  const person = newPerson();
  await signUpByApi(service.baseUrl, person);
  await page.goto('/');
  await page.getByLabel('Email').fill(person.email);
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByLabel('Code').fill(await readCode(service.baseUrl, person.email));
  const renewed = { ...person, password: `${person.password} anew` };
  await page.getByLabel('New password', { exact: true }).fill(renewed.password);
  await page.getByRole('button', { name: 'Save new password' }).click();
  await page.getByText('Your password is changed.').waitFor();
  await signIn(page, service.baseUrl, renewed);
  await overview().waitFor();
}, 60_000);

test('an authenticator app is enrolled, signs in, and a recovery code replaces it', async () => {
  const person = newPerson();
  await page.goto('/');
  await page.getByRole('button', { name: 'Create account' }).click();
  await signUp(page, service.baseUrl, person);
  await overview().waitFor();
  await openSecurity();
  await page.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog', { name: 'Authenticator app' });
  await dialog.getByRole('button', { name: 'Begin' }).click();
  const secret = await dialog.locator('code').textContent();
  const totp = new TOTP({ secret: Secret.fromBase32(secret ?? '') });
  await dialog.getByLabel('Code', { exact: true }).fill(totp.generate());
  const codes = page.getByRole('dialog', { name: 'Recovery codes' });
  const recoveryCode = (await codes.locator('li').first().textContent()) ?? '';
  expect(await codes.locator('li').count()).toBe(10);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await codes.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();

  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('your authenticator app shows').waitFor();
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recoveryCode);
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByRole('heading', { name: 'Security' }).waitFor();
}, 60_000);

test('a passkey is made, and signs in with one tap', async () => {
  const person = newPerson();
  await addVirtualAuthenticator(page);
  await page.goto('/');
  await page.getByRole('button', { name: 'Create account' }).click();
  await signUp(page, service.baseUrl, person);
  await overview().waitFor();
  await openSecurity();
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
  // Whoever cancels is told, and can begin again.
  await page.getByRole('alert').getByText('The passkey was not made').waitFor();
  await page.getByRole('button', { name: 'Create passkey' }).click();
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByText('My phone').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('heading', { name: 'Security' }).waitFor();
}, 60_000);

test('an application asks somebody who is signed in for consent only, and says where it leads', async () => {
  const person = newPerson();
  const operator = await openOperator(service);
  const application = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<title>Weather</title>'));
  await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(application.address() as AddressInfo).port}`;
  const client = {
    client_id: 'weather',
    client_name: 'Weather',
    type: 'public',
    redirect_uris: [`${origin}/back`],
    scopes: ['openid', 'dashboard:read'],
  };
  await expectOk(`${service.baseUrl}/operator/clients`, { token: operator.token, body: client });
  await page.goto('/');
  await page.getByRole('button', { name: 'Create account' }).click();
  await signUp(page, service.baseUrl, person);
  await overview().waitFor();
  const search = new URLSearchParams({
    client_id: 'weather',
    redirect_uri: `${origin}/back`,
    response_type: 'code',
    scope: 'openid dashboard:read',
    state: 'sunny',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
  await page.goto(`/oauth2/authorize?${search}`);
  await page.getByRole('heading', { name: 'Weather asks for access' }).waitFor();
  await page.getByText('Afterwards you go to 127.0.0.1').waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL(/\/back\?code=.*state=sunny/);
  window.complaints.splice(0, window.complaints.length, ...window.complaints.filter((text) => !text.startsWith(`foreign host: ${origin}/back`)));
  application.close();
}, 60_000);

test('a change of the account wants a fresh proof when the last one is old', async () => {
  const person = newPerson();
  await page.goto('/');
  await page.getByRole('button', { name: 'Create account' }).click();
  await signUp(page, service.baseUrl, person);
  await overview().waitFor();
  await openSecurity();
  // The first time the service says that the proof is too old, as it does later on its own.
  let isRefused = false;
  await page.route('**/me/authenticator', async (route) => {
    if (isRefused) return route.continue();
    isRefused = true;
    return route.fulfill({ status: 403, contentType: 'application/problem+json', body: JSON.stringify({ status: 403, code: 'reauthentication_required' }) });
  });
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('button', { name: 'Begin' }).click();
  await confirmByEmail(person);
  await page.getByText('Scan this with your authenticator app').waitFor();
  window.expectRefused('403 POST /me/authenticator');
}, 60_000);

test('the next person at the same screen sees nothing of the one before', async () => {
  const [before, next] = [newPerson('Nia'), newPerson('Joan')];
  await signUpByApi(service.baseUrl, next);
  await page.goto('/');
  await page.getByRole('button', { name: 'Create account' }).click();
  await signUp(page, service.baseUrl, before);
  await overview().waitFor();
  await openSecurity();
  await page.getByText(before.email).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  // Whatever is asked from here on stays unanswered: what shows up was kept.
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.route('**/me', () => undefined);
  await signIn(page, service.baseUrl, next);
  await page.getByRole('heading', { name: 'Profile' }).waitFor();
  expect(await page.getByText(before.email).count()).toBe(0);
  await page.unroute('**/me');
  await page.reload();
  await page.getByText(next.email).waitFor();
}, 60_000);
