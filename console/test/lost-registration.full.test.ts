/**
 * The response that reports a new account is lost: a second attempt signs in, or the page explains
 * what is possible.
 */
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { closeWithoutErrors, startBrowserFixture } from './support/browser-fixture.ts';
import { refuseOnce } from './support/focus.ts';
import { texts } from './support/texts.ts';
import { newPerson, overview, type Person, signUp } from './support/user-flows.ts';
import type { WatchedWindow } from './support/watched-page.ts';

const stage = startBrowserFixture();
let window: WatchedWindow;
let page: Page;
let person: Person;

/** The account was just created, and the response did not arrive. */
beforeEach(async () => {
  window = await stage.open();
  page = window.page;
  person = newPerson();
  await page.goto('/');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.route(
    '**/user/register/verify',
    async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    },
    { times: 1 },
  );
  await signUp(page, stage.service.baseUrl, person);
  await page.getByRole('alert').getByText('The service cannot be reached.').waitFor();
  return () => closeWithoutErrors(window);
});

test('a second attempt signs in', async () => {
  await page.getByRole('button', { name: 'Verify' }).click();
  await overview(page).waitFor();
  window.expectRefused('401 POST /user/register/verify');
});

test('after the deadline the page leads to the sign-in: the account may exist', async () => {
  await refuseOnce(page, 'POST **/user/login/2fa', 401, 'invalid_ticket');
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByRole('alert').getByText(texts.signIn.register.madePerhaps).waitFor();
  window.expectRefused('401 POST /user/register/verify');
  window.expectRefused('401 POST /user/login/2fa');
  expect(await page.getByLabel('Email').inputValue()).toBe(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'One more step' }).waitFor();
});
