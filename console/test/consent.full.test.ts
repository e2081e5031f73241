/** Consent: an application requests access, and gets what the user grants. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Application, openApplication, POLICY } from './support/application.ts';
import { closeWithoutErrors, startBrowserFixture } from './support/browser-fixture.ts';
import { expectFocus } from './support/focus.ts';
import { texts } from './support/texts.ts';
import {
  newPerson,
  openSecurity,
  overview,
  signUp,
  signUpFromStart,
} from './support/user-flows.ts';
import {
  findAccessibilityProblems,
  untilNothingIsOpen,
  type WatchedWindow,
} from './support/watched-page.ts';

/** After this delay a form used to replace the page of a known user. */
const LATE_MS = 2500;

const stage = startBrowserFixture();
let application: Application;
let window: WatchedWindow;
let page: Page;

beforeAll(async () => {
  application = await openApplication(stage.service, ['openid', 'dashboard:read']);
});
afterAll(() => application?.close());

beforeEach(async () => {
  window = await stage.open({ viewport: { width: 320, height: 640 } });
  page = window.page;
  return () => closeWithoutErrors(window);
});

/** Answers, and waits until the application has received it. */
async function answer(button: 'Allow' | 'Deny', arrival: RegExp): Promise<void> {
  await page.getByRole('button', { name: button }).click();
  await page.waitForURL(arrival);
  window.consoleErrors.splice(
    0,
    window.consoleErrors.length,
    ...window.consoleErrors.filter(
      (text) => !text.startsWith(`foreign host: ${application.origin}/back`),
    ),
  );
}

test('a signed-in user sees only the consent, with its redirect target', async () => {
  await signUpFromStart(page, stage.service.baseUrl, newPerson());
  // A known user never sees a sign-in form, however long the check takes.
  let letGo: () => void = () => undefined;
  const isAnswered = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route('**/oauth2/token', async (route) => {
    await isAnswered;
    await route.continue();
  });
  await page.goto(application.asking);
  await page.getByRole('status', { name: 'Loading' }).waitFor();
  await page.waitForFunction((late_ms) => performance.now() > late_ms, LATE_MS);
  expect(await page.getByRole('heading', { name: 'Sign in' }).count()).toBe(0);
  letGo();
  await page.getByRole('heading', { name: 'Weather asks for access' }).waitFor();
  expect(await page.title()).toBe('Weather asks for access · Edge Account');
  await page.getByRole('combobox', { name: 'Language' }).selectOption('中文');
  await page.waitForFunction(() => document.title === 'Weather 请求访问权限 · Edge Account');
  await page.getByRole('combobox', { name: '语言' }).selectOption('English');
  await page.getByText('Afterwards you go back to the program on this device.').waitFor();
  const policy = page.getByRole('link', { name: texts.signIn.consent.policy });
  expect(await policy.getAttribute('href')).toBe(POLICY);
  expect(await page.getByRole('link', { name: texts.signIn.consent.terms }).count()).toBe(0);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await answer('Allow', /\/back\?code=.*state=sunny/);
});

test('the form begins with the address and language that the application sent', async () => {
  await page.goto(`${application.asking}&login_hint=ada%40example.test&ui_locales=zh-CN%20en`);
  await page.getByRole('textbox', { name: '邮箱' }).waitFor();
  expect(await page.getByRole('textbox', { name: '邮箱' }).inputValue()).toBe('ada@example.test');
  expect(await page.locator('html').getAttribute('lang')).toBe('zh');
});

test('a denial returns without access; disconnecting needs a confirmation', async () => {
  await signUpFromStart(page, stage.service.baseUrl, newPerson());
  const question = page.getByRole('heading', { name: 'Weather asks for access' });
  await page.goto(application.asking);
  await question.waitFor();
  await answer('Deny', /\/back\?error=access_denied.*state=sunny/);
  await page.goto('/');
  await overview(page).waitFor();
  await openSecurity(page);
  await page.getByText('No application has access').waitFor();
  // A refusal is not stored: the next request asks again.
  await page.goto(application.asking);
  await question.waitFor();
  await answer('Allow', /\/back\?code=/);

  await page.goto('/security');
  // The log names the connected application, and agrees with the list above it.
  const events = page.getByRole('list', { name: 'Security log' });
  for (const text of ['Application allowed: Weather', 'Application denied: Weather'])
    await events.getByText(text).waitFor();
  // That the console may act for its own user is no decision of theirs.
  expect(await events.getByText('this console').count()).toBe(0);
  const disconnect = page.getByRole('button', { name: 'Disconnect Weather' });
  const sheet = page.getByRole('dialog', { name: 'Disconnect Weather?' });
  await disconnect.click();
  await sheet.getByText('It loses its access at once.').waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await sheet.getByRole('button', { name: 'Cancel' }).click();
  await sheet.waitFor({ state: 'detached' });
  await expectFocus(page, disconnect);
  await disconnect.click();
  await sheet.getByRole('button', { name: 'Disconnect', exact: true }).click();
  await page.getByText('No application has access').waitFor();
  await untilNothingIsOpen(page);
  expect(await disconnect.count()).toBe(0);
  await expectFocus(page, page.getByRole('heading', { name: 'Connected applications' }));
  await events.getByText('Application disconnected: Weather').waitFor();
  await page.goto(application.asking);
  await question.waitFor();
});

test('an expired or missing request shows no form, but a link to continue', async () => {
  const isOver = page.getByRole('heading', { name: texts.signIn.overTitle });
  await page.goto('/authorize?interaction_id=nonsense');
  await isOver.waitFor();
  expect(await page.title()).toBe(`${texts.signIn.overTitle} · Edge Account`);
  expect(await page.getByRole('textbox').count()).toBe(0);
  await page.getByText(texts.signIn.overLead).waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.getByRole('combobox', { name: 'Language' }).selectOption('中文');
  await page.getByRole('heading', { name: '此登录请求已失效' }).waitFor();
  await page.getByText('请返回您要使用的应用').waitFor();
  await page.getByRole('combobox', { name: '语言' }).selectOption('English');

  // A waiting request shows its form, and ends as soon as it is answered, for example by the same
  // user in another window.
  await page.getByRole('link', { name: 'Open your account' }).click();
  await page.getByRole('button', { name: 'Create account' }).click();
  await signUp(page, stage.service.baseUrl, newPerson());
  await overview(page).waitFor();
  await page.goto(application.asking);
  const waiting = page.url();
  await answer('Allow', /\/back\?code=/);
  await page.goto(waiting);
  await isOver.waitFor();
  expect(await page.getByRole('button', { name: 'Allow' }).count()).toBe(0);
});

test('a request that expires behind its form is shown as expired on return', async () => {
  await page.goto(application.asking);
  await page.getByLabel('Email').fill('ada@example.test');
  await page.route('**/oauth2/authorize/state?**', (route) =>
    route.fulfill({ json: { waiting: false } }),
  );
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  const isOver = page.getByRole('heading', { name: texts.signIn.overTitle });
  await isOver.waitFor();
  expect(await isOver.evaluate((heading) => heading === document.activeElement)).toBe(true);
  expect(await page.getByRole('textbox').count()).toBe(0);
});
