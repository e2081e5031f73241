/** Sign-in with an account of another OpenID provider, in the browser. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { expectOk, readCode } from '../../service/test/demo/http-client.ts';
import {
  startUpstreamOp,
  UPSTREAM_SECRET,
  type UpstreamOp,
} from '../../service/test/support/upstream-op.ts';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { openOperator, signUpByApi } from './support/seed.ts';
import { texts } from './support/texts.ts';
import { newPerson, openSecurity, overview, signUpFromStart } from './support/user-flows.ts';
import { findAccessibilityProblems, type WatchedWindow } from './support/watched-page.ts';

const stage = startBrowserFixture({ OUTGOING_LOOPBACK: 'allow' });
let op: UpstreamOp;
let window: WatchedWindow;
let page: Page;

beforeAll(async () => {
  const { baseUrl } = stage.service;
  op = await startUpstreamOp(`${baseUrl}/sign-in/upstream/other`);
  const { token } = await openOperator(stage.service);
  await expectOk(`${baseUrl}/operator/upstream-providers/other`, {
    method: 'PUT',
    token,
    body: {
      ...{ label: 'Example ID', issuer: op.issuer },
      ...{ client_id: 'edge', client_secret: UPSTREAM_SECRET },
    },
  });
});
afterAll(() => op.close());

beforeEach(async () => {
  window = await stage.open();
  page = window.page;
  return async () => {
    await window.close();
    const errors = window.consoleErrors.filter(
      (text) => !text.startsWith(`foreign host: ${op.issuer}/`),
    );
    expect(errors).toEqual([]);
  };
});

const other = () => page.getByRole('button', { name: 'Continue with Example ID' });

async function enterCode(email: string, title = 'One more step'): Promise<void> {
  await page.getByRole('heading', { name: title }).waitFor();
  await page.getByLabel('Code', { exact: true }).fill(await readCode(stage.service.baseUrl, email));
}

test('a new person creates an account, and signs in with it again', async () => {
  const { email } = newPerson('Grace');
  op.person = { sub: email, email, email_verified: true, name: 'Grace' };
  await page.goto('/');
  await other().waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await other().click();
  await page.getByText(`For ${email}.`).waitFor();
  // The code of the provider is in no address of the history.
  expect(page.url()).not.toContain('code=');
  expect(await page.getByLabel('Nickname').inputValue()).toBe('Grace');
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: texts.signIn.register.verifyTitle }).waitFor();
  // Back is the form, as it was sent.
  await page.getByRole('button', { name: texts.common.back }).click();
  expect(await page.getByLabel('Nickname').inputValue()).toBe('Grace');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('button', { name: texts.signIn.register.resend }).click();
  await page.getByText(texts.signIn.factor.resent).waitFor();
  await enterCode(email, texts.signIn.register.verifyTitle);
  await overview(page).waitFor();
  await openSecurity(page);
  await page.getByRole('heading', { name: texts.security.identities }).waitFor();
  await page.getByText(`${email} · Last used`).waitFor();
  // It is the only way in.
  await page.getByRole('button', { name: 'Unlink the account of Example ID' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Unlink', exact: true }).click();
  await dialog.getByText('Set a password first').waitFor();
  window.expectRefused('409 POST /me/upstream-identities/1/delete');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await other().click();
  await enterCode(email);
  await overview(page).waitFor();
});

test('a user links an account, unlinks it, and turns back at the provider', async () => {
  const person = newPerson();
  await signUpFromStart(page, stage.service.baseUrl, person);
  await openSecurity(page);
  op.person = { sub: `of ${person.email}`, email: 'another@example.test', email_verified: false };
  await page.getByRole('button', { name: 'Link an account of Example ID' }).click();
  await page.getByText('another@example.test · Last used').waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Unlink the account of Example ID' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink', exact: true }).click();
  await page.getByText('another@example.test').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Sign out' }).click();
  // An address that is not verified at the provider opens nothing.
  await other().click();
  await page.getByText('has not verified your email address').waitFor();
  window.expectRefused('403 POST /user/login/upstream/finish');
  await page.goto('/sign-in/upstream/other?error=access_denied&state=x');
  await page.getByText(texts.signIn.upstream.cancelled).waitFor();
  await page.getByLabel('Email').waitFor();
});

test('a referral link offers the providers too, and the code goes with them', async () => {
  const { referralCode } = await signUpByApi(stage.service.baseUrl, newPerson());
  const { email } = newPerson('Lin');
  op.person = { sub: email, email, email_verified: true, name: 'Lin' };
  await page.goto(`/?ref=${referralCode}`);
  const code = page.getByLabel('Referral code');
  await code.waitFor();
  expect(await code.inputValue()).toBe(referralCode);
  await other().waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  // A code that is typed here counts.
  await code.fill('');
  await code.fill(referralCode.toLowerCase());
  await other().click();
  await page.getByText(`For ${email}.`).waitFor();
  expect(await code.inputValue()).toBe(referralCode);
});
