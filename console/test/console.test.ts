/** The account console in a real browser, against the real service with a seeded account. */
import { readFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright-core';
import { extractText } from 'unpdf';
import { beforeAll, expect, test } from 'vitest';
import { expectOk } from '../../service/test/demo/http-client.ts';
import { amountText, sumAmounts } from '../src/lib/money-text.ts';
import { startBrowserFixture } from './support/browser-fixture.ts';
import {
  beat,
  misreport,
  openOperator,
  payRewards,
  reportTraffic,
  takeBack,
} from './support/seed.ts';
import { type SeededAccount, seedAccount } from './support/seed-account.ts';
import { texts } from './support/texts.ts';
import { newPerson, overview, signUpFromStart } from './support/user-flows.ts';
import {
  findAccessibilityProblems,
  findOverflow,
  untilNothingIsOpen,
  type WatchedWindow,
} from './support/watched-page.ts';

/** Neither the time zone of the service nor UTC. */
const TIME_ZONE = 'Asia/Shanghai';

const stage = startBrowserFixture();
let seeded: SeededAccount;
let window: WatchedWindow;
let page: Page;

beforeAll(async () => {
  seeded = await seedAccount(stage.service);
  window = await stage.openAs(seeded.person, { timezoneId: TIME_ZONE });
  page = window.page;
});

test('a reward appears without a reload, to the last decimal', async () => {
  await page.goto('/wallets?wallet=bonus');
  await page.getByRole('status').getByText('Live').waitFor({ state: 'attached' });
  const operator = await openOperator(stage.service);
  await payRewards(operator, seeded.account.userId, [
    { amount: '0.000000000000000001', reward_type: 'BONUS', event_at: new Date().toISOString() },
  ]);
  await page.getByRole('list', { name: 'Activity' }).getByText('000000000001').waitFor();
  expect(window.consoleErrors).toEqual([]);
});

test('a lost stream is shown unobtrusively, and missed events appear later', async () => {
  await page.goto('/wallets?wallet=bonus');
  const sign = page.getByRole('banner').getByRole('status');
  await sign.getByText('Live').waitFor({ state: 'attached' });
  const bills = page.getByRole('list', { name: 'Activity' });
  await bills.getByRole('button').first().waitFor();
  await window.context.setOffline(true);
  await sign.getByText('Catching up').waitFor();
  // The last known values stay, marked as not current.
  expect(await bills.getByRole('button').count()).toBeGreaterThan(0);
  expect(await page.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(0);
  const operator = await openOperator(stage.service);
  await payRewards(operator, seeded.account.userId, [
    { amount: '0.000000000000000777', reward_type: 'BONUS', event_at: new Date().toISOString() },
  ]);
  expect(await bills.getByText('000000000777').count()).toBe(0);
  await window.context.setOffline(false);
  await bills.getByText('000000000777').waitFor();
  await sign.getByText('Live').waitFor({ state: 'attached' });
  expect(window.consoleErrors).toEqual([]);
});

test('times are in the time zone of the reader, and in UTC on hover', async () => {
  await page.goto('/wallets?wallet=bonus');
  await page.getByRole('list', { name: 'Activity' }).locator('[data-entry]').first().click();
  const booked = page.getByRole('dialog').locator('time').last();
  const iso = (await booked.getAttribute('datetime')) ?? '';
  expect(await booked.getAttribute('title')).toBe(`${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`);
  const here = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: TIME_ZONE,
  }).format(new Date(iso));
  expect((await booked.textContent())?.replaceAll(/\s/g, ' ')).toBe(here.replaceAll(/\s/g, ' '));
});

test('"today" is the day of the service, which the page states', async () => {
  await page.goto('/');
  const day = page.locator('section time').first();
  await day.waitFor();
  const today = new Date().toISOString().slice(0, 10);
  const short = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  }).format(new Date(today));
  expect((await day.textContent())?.replaceAll(/\s/g, ' ')).toBe(`${short} UTC`);
  expect([await day.getAttribute('datetime'), await day.getAttribute('title')]).toEqual([
    today,
    `${today} 00:00–24:00 UTC`,
  ]);
});

test('an empty result of a filter is not described as having no deposits', async () => {
  await page.goto('/deposits');
  await page.getByText('No deposits yet').waitFor();
  await page.getByRole('button', { name: 'Filter' }).click();
  const until = page.getByLabel('To', { exact: true });
  await until.fill('0000-01-01');
  await page.getByText('There is no such day. Write it like 2026‑11‑20.').waitFor();
  await until.fill('2001-01-01');
  await page.getByText('No deposit matches these filters').waitFor();
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await page.getByText('No deposits yet').waitFor();
  expect(await until.inputValue()).toBe('');
});

/** The characters of a saved file, byte order mark included. */
async function readTable(download: Download): Promise<string> {
  return (await readFile(await download.path())).toString('utf8');
}

async function download(page: Page, button: string): Promise<Download> {
  const started = page.waitForEvent('download');
  await page.getByRole('button', { name: button, exact: true }).click();
  return started;
}

test('bills are filtered, opened and exported', async () => {
  await page.goto('/wallets?wallet=bonus');
  await page.getByText(/^\d+ entries$/).waitFor();
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByLabel('Direction').selectOption('Outgoing');
  await page.getByText('No entry matches these filters').waitFor();
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  // An active filter is shown where the filter form is not visible.
  await page.getByLabel('Direction').selectOption('Incoming');
  await page.getByRole('button', { name: 'Filter (1)' }).click();
  await page.getByLabel('Direction').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  expect(await page.getByLabel('Direction').inputValue()).toBe('');
  // Days: year first, with any separator; an invalid day or a reversed range is reported and not
  // requested.
  const [from, to] = [
    page.getByLabel('From', { exact: true }),
    page.getByLabel('To', { exact: true }),
  ];
  await from.fill('31.12.2026');
  await from.blur();
  await page.getByText('There is no such day. Write it like 2026‑11‑20.').waitFor();
  await from.fill('20990102');
  await page.getByText('No entry matches these filters').waitFor();
  expect(await from.inputValue()).toBe('2099-01-02');
  await to.fill('2099/1/1');
  await to.press('Enter');
  await page.getByText('The first day comes after the last one.').waitFor();
  await to.fill('');
  await from.fill('');
  await page.getByRole('list', { name: 'Activity' }).locator('[data-entry]').first().click();
  await page.getByRole('dialog').getByText('Balance after').waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(window.consoleErrors).toEqual([]);
  await page.getByRole('button', { name: 'Export' }).click();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  const file = await download(page, 'Save CSV');
  expect(file.suggestedFilename()).toBe('activity-bonus.csv');
  const table = await readTable(file);
  expect(table).toMatch(/^\ufeff\w+(,\w+)+\r\n/);
  // The newest day adds up to all of its entries, on whatever pages of the list they are.
  await page.keyboard.press('Escape');
  const total = page.getByText('Day total').first().locator('..');
  const sum = amountText(sumOfNewestDay(table));
  await total.getByRole('button', { name: `Exact amount: ${sum}` }).click();
  expect(await total.textContent()).toContain(sum);
});

test('a monthly statement is saved as PDF', async () => {
  await page.goto('/wallets?wallet=bonus');
  await page.getByRole('button', { name: 'Export' }).click();
  const month = page.getByLabel('Month');
  const [newest = ''] = await month.locator('option').allTextContents();
  await month.selectOption(newest);
  const file = await download(page, 'Save PDF');
  const value = await month.inputValue();
  expect(file.suggestedFilename()).toBe(`statement-${value}.pdf`);
  const bytes = new Uint8Array(await readFile(await file.path()));
  const { text } = await extractText(bytes, { mergePages: true });
  expect(text).toContain('Monthly statement');
  expect(text).toContain(seeded.person.email);
  expect(text.trimEnd().endsWith('End of the statement')).toBe(true);
});

/** The sum of the rewards of the reader's newest day in an export of EDGE alone, as text. */
function sumOfNewestDay(table: string): string {
  const [head = '', ...lines] = table.replace('\ufeff', '').trim().split('\r\n');
  const names = head.split(',');
  const rows = lines.map((line) => line.split(','));
  const fieldOf = (row: readonly string[] | undefined, name: string): string =>
    row?.[names.indexOf(name)] ?? '';
  const dayOf = (row: readonly string[] | undefined): string =>
    new Date(fieldOf(row, 'created_at')).toLocaleDateString('en', { timeZone: TIME_ZONE });
  const amounts = rows
    .filter((row) => dayOf(row) === dayOf(rows[0]))
    .map((row) => (fieldOf(row, 'amount_direction') === '2' ? '-' : '') + fieldOf(row, 'amount'));
  return sumAmounts(amounts);
}

test('rewards are converted after a quote', async () => {
  await page.goto('/wallets/convert');
  // The input could mean 2.5 or 25: an ambiguous amount is refused.
  await page.getByLabel('Amount').fill('2,5');
  await page.getByRole('button', { name: 'See the offer' }).click();
  await page.getByText('no commas').waitFor();
  await page.getByLabel('Amount').fill('99999999');
  await page.getByRole('button', { name: 'See the offer' }).click();
  await page.getByText('not enough').waitFor();
  await page.getByLabel('Amount').fill('100');
  await page.getByLabel('Into').selectOption('USDT');
  await page.getByRole('button', { name: 'See the offer' }).click();
  await page.getByText('You get').waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Convert now' }).click();
  await page.getByText('18.25 USDT arrived in your asset wallet').waitFor();
  await page.getByRole('link', { name: 'To the wallets' }).click();
  await page.getByText('Converted in').waitFor();
});

async function askAsTerminal(
  endpoint: string,
  fields: Record<string, string>,
): Promise<Record<string, string>> {
  const body = new URLSearchParams({ client_id: 'edge-terminal', ...fields });
  const response = await fetch(`${stage.service.baseUrl}/oauth2/${endpoint}`, {
    method: 'POST',
    body,
  });
  return (await response.json()) as Record<string, string>;
}

/** What the device does after its authorisation: it registers and sends a heartbeat. */
async function connectAttic(code = ''): Promise<{ nodeId: string; token: string }> {
  const { baseUrl } = stage.service;
  const tokens = await askAsTerminal('token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: code,
  });
  const device = { nodeId: 'attic-node-1', token: String(tokens.device_token) };
  const said = {
    browser: 'Edge Terminal',
    extension_version: '1.0',
    os: 'Debian',
    timezone: 'UTC',
  };
  await expectOk(`${baseUrl}/me/devices/attic-node-1`, {
    method: 'PUT',
    token: device.token,
    body: { device_type: 'TERMINAL', ...said, requested_categories: ['web', 'video'] },
  });
  await beat(baseUrl, device);
  return device;
}

test('a device is authorised by its code, appears, is renamed and revoked', async () => {
  const begun = await askAsTerminal('device_authorization', {
    scope: 'openid device:connect',
    device_categories: 'web,video',
  });
  await page.goto(String(begun.verification_uri_complete));
  await page.getByText('Connect this device to the network in your name').waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.getByRole('switch', { name: 'video' }).uncheck();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('The device will appear').waitFor();
  const device = await connectAttic(begun.device_code);
  await misreport(await openOperator(stage.service), device.nodeId);
  await page.getByText(/^Edge Terminal.*: (Online|Offline)\./).waitFor();
  await page.getByRole('status').getByRole('link', { name: 'Devices' }).click();
  await page.getByRole('button', { name: /Edge Terminal on Debian\b(?! 13)/ }).click();
  await page.getByText('2 traffic reports do not count').click();
  await page.getByText('The report’s count of bytes sent was not a whole number').waitFor();
  await page.getByText('The relay sent it more than 7 days after it had ended').waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.getByRole('switch', { name: 'web' }).and(page.locator(':checked')).waitFor();
  await page.getByRole('switch', { name: 'video' }).click();
  await page.getByRole('switch', { name: 'video' }).and(page.locator(':checked')).waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Attic');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Attic' }).waitFor();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByText(texts.devices.disconnectLead).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('button', { name: /Attic Disconnected · disconnected by you/ }).waitFor();
  await untilNothingIsOpen(page);

  const again = await askAsTerminal('device_authorization', { scope: 'openid device:connect' });
  await page.goto(String(again.verification_uri_complete));
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('The device will appear').waitFor();
  await connectAttic(again.device_code);
  await page.getByText('Attic: Online.').waitFor();
  await page.getByRole('status').getByRole('link', { name: 'Devices' }).click();
  await page.getByRole('button', { name: /^Attic Online/ }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Attic is deleted.').waitFor();
  await page.getByRole('button', { name: /^Attic/ }).waitFor({ state: 'detached' });
  expect(window.consoleErrors).toEqual([]);
});

test('an hour of a device is chosen by keyboard or pointer, and says what it earned', async () => {
  await page.goto('/devices');
  await page.locator('main li button').first().click();
  await page.getByRole('link', { name: 'Earnings and hours' }).click();
  await page.getByText(texts.devices.history.noTraffic).waitFor();
  const nodeId = new URL(page.url()).searchParams.get('node') ?? '';
  await reportTraffic(await openOperator(stage.service), nodeId, [250_000, 1_000_000]);
  await page.reload();
  const days = page.getByRole('slider', { name: texts.devices.history.traffic });
  for (const key of ['Home', 'End']) await days.press(key);
  expect(await days.getAttribute('aria-valuetext')).toMatch(/: 0\.00125 GB, so far, /);
  const slider = page.getByLabel('Hour', { exact: true });
  await slider.waitFor();
  const chosen = page.getByRole('status').filter({ has: page.getByRole('heading') });
  await slider.press('Home');
  await chosen.getByRole('heading', { name: /, 00:00–01:00 UTC$/ }).waitFor();
  await chosen.getByText('The device was not added yet.').waitFor();
  expect(await slider.getAttribute('aria-valuetext')).toMatch(/, 00:00–01:00 UTC$/);
  await slider.press('ArrowRight');
  await chosen.getByRole('heading', { name: /, 01:00–02:00 UTC$/ }).waitFor();
  // The last cell: the last hour of today.
  const grid = page.locator('[data-picked]').locator('..');
  const { width = 0, height = 0 } = (await grid.boundingBox()) ?? {};
  await grid.click({ position: { x: width - 3, y: height - 3 } });
  await chosen.getByRole('heading', { name: /, 23:00–00:00 UTC$/ }).waitFor();
  await chosen.getByText('This hour is not over yet.').waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  expect(await findOverflow(page)).toEqual([]);
  await page.goto('/devices/history?node=of-another-account');
  await page.getByText('This device is not in your list').waitFor();
  expect(window.consoleErrors).toEqual([]);
});

test('a note is edited in its row; members are searched', async () => {
  await page.goto('/people');
  const grace = page.getByRole('listitem').filter({ hasText: 'Grace' });
  await grace.getByRole('button', { name: 'Add a note' }).click();
  await page.getByLabel('Note on Grace').fill('x'.repeat(21));
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('At most 20 characters.').waitFor();
  await page.getByLabel('Note on Grace').fill('met in Arlington 🖖');
  await page.keyboard.press('Enter');
  await grace.getByText('met in Arlington 🖖').waitFor();
  await page.getByLabel('Nickname or email').fill('linus');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByText('1 member', { exact: true }).waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
});

test('an export begins with a byte order mark; the response of the API does not', async () => {
  await page.goto('/people');
  const linus = page.getByRole('listitem').filter({ hasText: 'Linus' });
  await linus.getByRole('button', { name: 'Add a note' }).click();
  await page.getByLabel('Note on Linus').fill('小明的朋友');
  await page.keyboard.press('Enter');
  await linus.getByText('小明的朋友').waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const saved = await readTable(await download);
  expect(saved).toContain(',小明的朋友,');
  const answer = await fetch(`${stage.service.baseUrl}/community/members/export`, {
    headers: { accept: 'text/csv', authorization: `Bearer ${seeded.account.accessToken}` },
  });
  const answered = Buffer.from(await answer.arrayBuffer()).toString('utf8');
  expect(answered).toMatch(/^user_id,/);
  expect(saved).toBe(`\ufeff${answered}`);
});

test('an unknown address shows a message', async () => {
  await page.goto('/wallets/nothing');
  await page.getByRole('heading', { level: 1, name: 'There is nothing here' }).waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  // A percent sign that begins no valid escape.
  await page.goto('/%E0%A4%A');
  await page.getByRole('heading', { level: 1, name: 'There is nothing here' }).waitFor();
  await page.getByRole('link', { name: 'Go to the overview' }).click();
  await overview(page).waitFor();
});

test('an address with invalid parameters shows what it can', async () => {
  await page.goto('/device?user_code=1234');
  expect(await page.getByLabel('Device code').inputValue()).toBe('1234');
  await page.goto('/wallets?wallet=xxx');
  await page
    .getByRole('radio', { name: 'Assets' })
    .and(page.locator(':checked'))
    .waitFor({ state: 'attached' });
});

test('closing an account needs a confirmation, and giving up its balance', async () => {
  const person = newPerson('Nia');
  const { close, page, consoleErrors, expectRefused } = await stage.open();
  await signUpFromStart(page, stage.service.baseUrl, person);
  await page.getByRole('link', { name: 'Security' }).click();
  const number = await page
    .getByRole('term')
    .filter({ hasText: 'Account number' })
    .locator('+ dd')
    .textContent();
  const operator = await openOperator(stage.service);
  await payRewards(operator, Number(number), [
    { amount: '1', reward_type: 'BONUS', event_at: new Date().toISOString() },
  ]);
  await page.getByRole('button', { name: 'Close my account' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByText(texts.security.closeConsequences).waitFor();
  await sheet.getByLabel('Password', { exact: true }).fill(person.password);
  await sheet.getByRole('button', { name: 'Close for good' }).click();
  await sheet.getByText(texts.common.problem.account_not_empty).waitFor();
  expectRefused('409 POST /me/close');
  const [field, failure] = [
    await sheet.getByLabel('Password', { exact: true }).boundingBox(),
    await sheet.getByText(texts.common.problem.account_not_empty).boundingBox(),
  ];
  expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThan(failure?.y ?? 0);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await sheet.getByRole('switch', { name: 'Give up what is left' }).waitFor();
  await takeBack(operator, Number(number), '5');
  await sheet.getByRole('button', { name: 'Close for good' }).click();
  await sheet.getByText('You owe USDT, and have other balances.').waitFor();
  expectRefused('409 POST /me/close');
  await sheet.getByRole('switch', { name: 'Close the account in debt' }).click();
  const begun: string[] = [];
  page.on(
    'request',
    (request) =>
      new URL(request.url()).pathname === '/oauth2/authorize' && begun.push(request.url()),
  );
  await sheet.getByRole('button', { name: 'Close for good' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByRole('status').getByText('Your account is closed.').waitFor();
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText(texts.common.problem.invalid_credentials).waitFor();
  expectRefused('401 POST /user/login-with-password');
  // The response, the stream and other requests report the end; the sign-in begins only once.
  expect(begun).toHaveLength(1);
  expect(consoleErrors).toEqual([]);
  await close();
});
