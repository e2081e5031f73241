/** Operators find devices of all people, see refused reports, and addresses that many share. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { closeWithoutErrors, startBrowserFixture } from './support/browser-fixture.ts';
import { draw, watchShifts } from './support/layout-shifts.ts';
import { openOperatorPages } from './support/operator-journey.ts';
import {
  addDevice,
  misreport,
  openOperator,
  type SeededDevice,
  signUpByApi,
} from './support/seed.ts';
import { texts } from './support/texts.ts';
import { newPerson } from './support/user-flows.ts';
import {
  addVirtualAuthenticator,
  findAccessibilityProblems,
  findOverflow,
  untilNothingIsOpen,
  type WatchedWindow,
} from './support/watched-page.ts';

const stage = startBrowserFixture();
const { devices, title, view } = texts.operator;
const FACTS = { device_type: 'TERMINAL', browser: 'edge-terminal', os: 'Linux' } as const;
const added: SeededDevice[] = [];
let window: WatchedWindow;
let page: Page;

const table = () => page.getByRole('table', { name: devices.found });
const rows = () =>
  table()
    .getByRole('row')
    .filter({ has: page.getByRole('cell') });
const search = (): URLSearchParams => new URL(page.url()).searchParams;

beforeAll(async () => {
  const { baseUrl } = stage.service;
  for (const name of ['Grace', 'Ada']) {
    const { accessToken } = await signUpByApi(baseUrl, newPerson(name));
    for (let n = 0; n < 3; n++) added.push(await addDevice(baseUrl, accessToken, FACTS));
  }
  await misreport(await openOperator(stage.service), added[4]?.nodeId ?? '');
  window = await stage.open({ viewport: { width: 1440, height: 900 } });
  page = window.page;
  await addVirtualAuthenticator(page);
  await openOperatorPages(page, stage.service);
  return () => closeWithoutErrors(window);
});

const openDevices = async (query = ''): Promise<void> => {
  await page.goto(`/operator?view=devices${query}`);
  await page.getByRole('heading', { name: view.devices, exact: true, level: 2 }).waitFor();
};

test('a device is found by its node ID, and leads to its owner', async () => {
  const nav = page.getByRole('navigation', { name: title });
  await nav.getByRole('link', { name: view.devices, exact: true }).click();
  await expect.poll(() => rows().count()).toBe(6);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  const nodeId = added[1]?.nodeId ?? '';
  await page.getByLabel(devices.search).fill(nodeId);
  await page.keyboard.press('Enter');
  await page.getByText('1 device found so far').waitFor();
  await rows().getByText(nodeId).waitFor();
  await rows().getByRole('link', { name: 'Grace' }).click();
  await page.getByRole('heading', { name: 'Grace', exact: true }).waitFor();
});

test('filters are kept in the address; a sheet leads to the devices of one address', async () => {
  await openDevices('&status=disconnected');
  await page.getByText(devices.noMatch).waitFor();
  await page.getByRole('button', { name: texts.shell.filter.clear }).click();
  await expect.poll(() => rows().count()).toBe(6);
  await page.getByLabel(devices.column.status, { exact: true }).selectOption('online');
  await page.getByText('6 devices found so far').waitFor();
  expect(search().get('status')).toBe('online');
  await rows().getByRole('button').first().click();
  const sheet = page.getByRole('dialog');
  await sheet.getByText(added[5]?.nodeId ?? '', { exact: true }).waitFor();
  await sheet.getByText('Ada', { exact: true }).waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await sheet.getByRole('button', { name: /^All devices added from / }).click();
  await untilNothingIsOpen(page);
  await page.getByText('6 devices found so far').waitFor();
  expect(Object.fromEntries(search())).toEqual({ view: 'devices', device: '127.0.0.1' });
});

test('refused reports are counted by reason, and each leads to its device', async () => {
  await openDevices();
  await page.keyboard.press('/');
  await page.getByLabel(devices.search).and(page.locator(':focus')).waitFor();
  const counts = page.getByRole('list', { name: devices.refused });
  await counts.getByText(texts.devices.refusedReason.malformed_bytes_up).waitFor();
  await counts.getByText('1 report', { exact: false }).first().waitFor();
  await page.getByRole('button', { name: devices.showReports }).click();
  const reports = page.getByRole('table', { name: devices.reports });
  const reason = texts.devices.refusedReason.malformed_bytes_up;
  const row = reports.getByRole('row').filter({ hasText: reason });
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await row.getByRole('button').click();
  await page.getByText('1 device found so far').waitFor();
  expect(search().get('device')).toBe(added[4]?.nodeId);
});

test('a shared address leads to its devices; nothing shifts or is cut off on a phone', async () => {
  await page.setViewportSize({ width: 320, height: 700 });
  const shifts = await watchShifts(page);
  await openDevices();
  await page.getByRole('table', { name: devices.shared }).getByRole('button').waitFor();
  await rows().first().waitFor();
  await page.getByRole('list', { name: devices.refused }).waitFor();
  await draw(page);
  expect(await shifts()).toEqual([]);
  expect(await findOverflow(page)).toEqual([]);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.getByRole('table', { name: devices.shared }).getByRole('button').click();
  await page.getByText('6 devices found so far').waitFor();
  expect(search().get('device')).toBe('127.0.0.1');
});
