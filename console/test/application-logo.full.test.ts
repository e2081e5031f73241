/** The logo of an application, where a user decides about it and in the list. */
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pngOf } from '../../service/test/support/images.ts';
import { type Application, openApplication } from './support/application.ts';
import { closeWithoutErrors, startBrowserFixture } from './support/browser-fixture.ts';
import { newPerson, signUpFromStart } from './support/user-flows.ts';
import { findAccessibilityProblems } from './support/watched-page.ts';

const stage = startBrowserFixture({ OUTGOING_LOOPBACK: 'allow' });
let application: Application;

beforeAll(async () => {
  application = await openApplication(stage.service, ['openid'], pngOf(96, 96));
});
afterAll(() => application?.close());

/** The picture was loaded, and no other host was asked for it. */
async function expectPicture(picture: Locator): Promise<void> {
  await picture.waitFor();
  await expect
    .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBe(96);
  expect(await picture.getAttribute('src')).toMatch(/^\/oauth2\/logos\/[0-9a-f]{64}$/);
}

test.each([
  ['light', 360],
  ['dark', 1280],
] as const)('is shown with the request and in the list: %s, %i px', async (colorScheme, width) => {
  const window = await stage.open({ viewport: { width, height: 800 }, colorScheme });
  const { page } = window;
  await signUpFromStart(page, stage.service.baseUrl, newPerson());
  await page.goto(application.asking);
  await page.getByRole('heading', { name: 'Weather asks for access' }).waitFor();
  await expectPicture(page.locator('main img'));
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL(/\/back\?code=/);
  window.consoleErrors.splice(
    0,
    window.consoleErrors.length,
    ...window.consoleErrors.filter(
      (text) => !text.startsWith(`foreign host: ${application.origin}/back`),
    ),
  );
  await page.goto(`${stage.service.baseUrl}/security`);
  const row = page.getByRole('listitem').filter({ hasText: 'Weather' }).first();
  await expectPicture(row.locator('img'));
  await closeWithoutErrors(window);
});
