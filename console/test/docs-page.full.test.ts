/** `/docs` in a real browser: a user runs an operation with an access token. */
import { expect, test } from 'vitest';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { signUpByApi } from './support/seed.ts';
import { newPerson } from './support/user-flows.ts';

const stage = startBrowserFixture();

test('an operation is run with an access token, and its curl command is shown', async () => {
  const person = newPerson();
  const { accessToken } = await signUpByApi(stage.service.baseUrl, person);
  const window = await stage.open();
  const { page } = window;
  await page.goto('/docs');
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  await page.getByLabel('auth-bearer-value').fill(accessToken);
  await page.getByRole('button', { name: 'Apply credentials' }).click();
  await page.locator('.modal-ux .btn-done').last().click();
  await page.locator('#operations-tag-account').click();
  await page.locator('#operations-account-getMe .opblock-summary-control').click();
  await page.locator('#operations-account-getMe').getByRole('button', { name: 'Execute' }).click();
  const answer = page.locator('#operations-account-getMe .live-responses-table');
  await answer.waitFor();
  expect(await answer.locator('.response-col_status').last().textContent()).toContain('200');
  expect(await answer.textContent()).toContain(person.email);
  const curl = page.locator('#operations-account-getMe .curl-command');
  expect(await curl.textContent()).toContain(`${stage.service.baseUrl}/me`);
  expect(await curl.locator('.copy-to-clipboard').count()).toBe(1);
  expect(window.consoleErrors).toEqual([]);
});

test('the page follows the color scheme of the system', async () => {
  const { page } = await stage.open();
  await page.goto('/docs');
  const isDark = () =>
    page.evaluate(() => document.documentElement.classList.contains('dark-mode'));
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect.poll(isDark).toBe(colorScheme === 'dark');
  }
});
