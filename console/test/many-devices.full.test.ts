/**
 * A thousand devices: only the visible ones are rendered, and each is found by its name, in both
 * languages.
 */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { Device } from '../src/devices/queries.ts';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { openPage } from './support/pages.ts';
import { signUpByApi } from './support/seed.ts';
import { newPerson } from './support/user-flows.ts';
import { findAccessibilityProblems, findOverflow, findOverlaps } from './support/watched-page.ts';

const stage = startBrowserFixture();
let page: Page;

const COUNT = 997;
const LONG_AGO = '2026-11-20T00:00:00Z';

function deviceAt(at: number): Device {
  return {
    node_id: `node-${at}`,
    name: at === 700 ? 'Attic' : `Chrome on Windows 11 no. ${at}`,
    device_type: 'TERMINAL',
    browser: 'Chrome',
    extension_version: '1.4.2',
    os: 'Windows 11',
    timezone: 'Europe/Berlin',
    status: at % 2 === 0 ? 'online' : 'offline',
    status_reason: 'nothing was heard',
    status_reason_code: 'silent',
    status_since: LONG_AGO,
    granted_categories: ['web'],
    requested_categories: ['web', 'video', 'Weather maps'],
    capabilities: ['bandwidth', 'compute'],
    traffic_gb: '12.5',
    created_at: LONG_AGO,
    last_seen_at: LONG_AGO,
  };
}

beforeAll(async () => {
  const person = newPerson();
  await signUpByApi(stage.service.baseUrl, person);
  page = (await stage.openAs(person)).page;
  const devices = Array.from({ length: COUNT }, (_, at) => deviceAt(at));
  await page.route('**/me/devices', (route) => route.fulfill({ json: { devices } }));
});

test.each([320, 1280])('at %i pixels one device is found among many', async (width) => {
  await page.setViewportSize({ width, height: 844 });
  await openPage(page, '/devices');
  const list = page.getByRole('list', { name: 'Devices' });
  await list.getByRole('listitem').first().waitFor();
  expect(await page.locator('*').count()).toBeLessThan(1500);
  expect(await list.getByRole('listitem').first().getAttribute('aria-setsize')).toBe(String(COUNT));
  expect(await findOverflow(page)).toEqual([]);
  expect(await findOverlaps(page)).toEqual([]);
  expect(await findAccessibilityProblems(page)).toEqual([]);

  // Rows that are taller than the first ones move the end of the list while it scrolls.
  await expect
    .poll(async () => {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      return list.getByText(`no. ${COUNT - 1}`).isVisible();
    })
    .toBe(true);
  await page.evaluate(() => scrollTo(0, 0));
  const search = page.getByLabel('Name of a device');
  await search.fill('aTTIC');
  await page.getByRole('status').getByText('1 device found').waitFor();
  await list.getByRole('button', { name: 'Attic' }).click();
  await page.getByRole('dialog', { name: 'Attic' }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await search.fill('cellar');
  await page.getByText('No device has this name').waitFor();
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await list.getByRole('listitem').first().waitFor();
  expect(await search.inputValue()).toBe('');
});

test('the device sheet in Chinese translates known capabilities only', async () => {
  await page.evaluate(() => localStorage.setItem('edge-language', 'zh'));
  await openPage(page, '/devices');
  await page.getByLabel('设备名称').fill('attic');
  await page.getByRole('button', { name: 'Attic' }).click();
  for (const kind of ['网页', '视频', 'Weather maps'])
    await page.getByRole('switch', { name: kind }).waitFor();
  await page.getByText('带宽、计算').waitFor();
});
