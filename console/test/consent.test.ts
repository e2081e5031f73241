/** Consent: an application sends somebody here, and gets what they allow. */
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { openApplication } from './support/application.ts';
import { newPerson, signUpFromStart } from './support/journey.ts';
import { closeCalmly, setStage } from './support/stage.ts';
import { findAccessibilityProblems, type WatchedWindow } from './support/window.ts';

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
  await page.goto(application.asking);
  await page.getByRole('heading', { name: 'Weather asks for access' }).waitFor();
  await page.getByText('Afterwards you go to 127.0.0.1').waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL(/\/back\?code=.*state=sunny/);
  window.complaints.splice(0, window.complaints.length, ...window.complaints.filter((text) => !text.startsWith(`foreign host: ${application.origin}/back`)));
  application.close();
}, 60_000);
