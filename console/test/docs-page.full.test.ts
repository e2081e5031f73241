/** `/docs` in a real browser: operations are found, and run with an access token. */
import { createAccentShades } from '@edge-account/sdk/accent';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { closeWithoutErrors, startBrowserFixture } from './support/browser-fixture.ts';
import { draw, watchShifts } from './support/layout-shifts.ts';
import { openOperator, signUpByApi } from './support/seed.ts';
import { newPerson } from './support/user-flows.ts';
import { findAccessibilityProblems, findOverflow } from './support/watched-page.ts';

const stage = startBrowserFixture();
const ACCENT = '#fff3b0';
const SHADES = createAccentShades(ACCENT);
const rows = (page: Page) => page.locator('section li:visible');

function toHex(color: string): string {
  const parts = color.match(/\d+/g) ?? [];
  return `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
}

beforeAll(async () => {
  const { baseUrl, token } = await openOperator(stage.service);
  const answer = await fetch(`${baseUrl}/operator/brand`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Acme Network', accent: ACCENT }),
  });
  expect(answer.status).toBe(200);
});

test('an operation is run with an access token, and its curl command is shown', async () => {
  const person = newPerson();
  const { accessToken } = await signUpByApi(stage.service.baseUrl, person);
  const window = await stage.open();
  const { page } = window;
  await page.goto('/docs/explorer');
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  await page.getByLabel('auth-bearer-value').fill(accessToken);
  await page.getByRole('button', { name: 'Apply credentials' }).click();
  await page.locator('.modal-ux .btn-done').last().click();
  await page.locator('#operations-tag-account').click();
  await page.locator('#operations-account-getMe .opblock-summary-control').click();
  const execute = page
    .locator('#operations-account-getMe')
    .getByRole('button', { name: 'Execute' });
  const ground = await execute.evaluate((button) => getComputedStyle(button).backgroundColor);
  expect(toHex(ground)).toBe(SHADES.light.filled);
  await execute.click();
  const answer = page.locator('#operations-account-getMe .live-responses-table');
  await answer.waitFor();
  expect(await answer.locator('.response-col_status').last().textContent()).toContain('200');
  expect(await answer.textContent()).toContain(person.email);
  const curl = page.locator('#operations-account-getMe .curl-command');
  expect(await curl.textContent()).toContain(`${stage.service.baseUrl}/me`);
  expect(await curl.locator('.copy-to-clipboard').count()).toBe(1);
  await page.getByRole('link', { name: 'All operations' }).click();
  await page.getByLabel('Filter operations').waitFor();
  expect(window.consoleErrors).toEqual([]);
});

test('the explorer follows the color scheme of the system', async () => {
  const { page } = await stage.open();
  await page.goto('/docs/explorer');
  const isDark = () =>
    page.evaluate(() => document.documentElement.classList.contains('dark-mode'));
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect.poll(isDark).toBe(colorScheme === 'dark');
  }
});

describe.each(['light', 'dark'] as const)('the operations in %s', (colorScheme) => {
  test.each([320, 390, 768, 1440])(
    'are in the accent at %i px, and nothing moves',
    async (width) => {
      const opened = await stage.open({ viewport: { width, height: 800 }, colorScheme });
      const { page } = opened;
      const shifts = await watchShifts(page);
      await page.goto('/docs');
      expect(await page.title()).toBe('API · Acme Network');
      const link = page.getByRole('link', { name: 'OpenAPI document' });
      const color = await link.evaluate((element) => getComputedStyle(element).color);
      expect(toHex(color)).toBe(SHADES[colorScheme].filled);
      await draw(page);
      expect(await shifts()).toEqual([]);
      expect(await findOverflow(page)).toEqual([]);
      expect(await findAccessibilityProblems(page)).toEqual([]);
      await closeWithoutErrors(opened);
    },
  );
});

test('words filter by method, path, summary and name, and are kept on the way back', async () => {
  const opened = await stage.open({ viewport: { width: 1440, height: 900 } });
  const { page } = opened;
  await page.goto('/docs');
  const all = await rows(page).count();
  const field = page.getByLabel('Filter operations');
  const count = page.getByRole('status');
  expect(await count.textContent()).toBe(`${all} operations`);
  await field.fill('PATCH nickname');
  expect(await rows(page).count()).toBe(1);
  expect(await count.textContent()).toBe(`1 of ${all} operations`);
  expect(await page.locator('nav .wide li:visible').allTextContents()).toEqual([
    expect.stringContaining('Account'),
  ]);
  await field.fill('putOperatorBrand');
  expect(await rows(page).first().textContent()).toContain('/operator/brand');
  await field.fill('no such words');
  expect(await rows(page).count()).toBe(0);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await field.fill('wallets');
  const found = await rows(page).count();
  await rows(page).first().getByRole('link').click();
  await page.locator('.opblock.is-open').waitFor();
  await page.goBack();
  await expect.poll(() => field.inputValue()).toBe('wallets');
  await expect.poll(() => rows(page).count()).toBe(found);
  await closeWithoutErrors(opened);
});

test('an address of an operation from before leads to the explorer, which opens it', async () => {
  const opened = await stage.open();
  const { page } = opened;
  await page.goto('/docs#/account/getMe');
  await page.locator('#operations-account-getMe.is-open').waitFor();
  expect(new URL(page.url()).pathname).toBe('/docs/explorer');
  await closeWithoutErrors(opened);
});

test('without script every operation is there, and no field that does nothing', async () => {
  const { page } = await stage.open({ javaScriptEnabled: false });
  await page.goto('/docs');
  expect(await rows(page).count()).toBeGreaterThan(190);
  expect(await page.locator('.filter').isVisible()).toBe(false);
  await page.getByText('Parts of the API').click();
  expect(await page.locator('details a').first().isVisible()).toBe(true);
});
