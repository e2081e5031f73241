/** Consent: an application sends somebody here, and gets what they allow. */
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { openApplication } from './support/application.ts';
import { newPerson, signUpFromStart } from './support/journey.ts';
import { closeCalmly, setStage } from './support/stage.ts';
import { findAccessibilityProblems, type WatchedWindow } from './support/window.ts';

/** After this long a form used to take the place of somebody who was known. */
const LATE_MS = 2500;

const stage = setStage();
let window: WatchedWindow;
let page: Page;

beforeEach(async () => {
  window = await stage.open({ viewport: { width: 320, height: 640 } });
  page = window.page;
  return () => closeCalmly(window);
});

test('an application asks somebody who is signed in for consent only, and says where it leads', async () => {
  const application = await openApplication(stage.service, ['openid', 'dashboard:read']);
  await signUpFromStart(page, stage.service.baseUrl, newPerson());
  // However long it takes to know them: nobody is shown a form that they need not fill in.
  let answer: () => void = () => undefined;
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/oauth2/token', async (route) => {
    await isAnswered;
    await route.continue();
  });
  await page.goto(application.asking);
  await page.getByRole('status', { name: 'Loading' }).waitFor();
  await page.waitForFunction((late_ms) => performance.now() > late_ms, LATE_MS);
  expect(await page.getByRole('heading', { name: 'Sign in' }).count()).toBe(0);
  answer();
  await page.getByRole('heading', { name: 'Weather asks for access' }).waitFor();
  expect(await page.title()).toBe('Weather asks for access · Edge Account');
  await page.getByRole('combobox', { name: 'Language' }).selectOption('中文');
  await page.waitForFunction(() => document.title === 'Weather 请求访问权限 · Edge Account');
  await page.getByRole('combobox', { name: '语言' }).selectOption('English');
  await page.getByText('Afterwards you go back to the program on this device.').waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL(/\/back\?code=.*state=sunny/);
  window.complaints.splice(0, window.complaints.length, ...window.complaints.filter((text) => !text.startsWith(`foreign host: ${application.origin}/back`)));
  application.close();
}, 60_000);
