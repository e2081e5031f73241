/** A viewer and a supporter of the network: pages of operators without what their roles lack. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectOk } from '../../service/test/demo/http-client.ts';
import { closeWithoutErrors, startBrowserFixture } from './support/browser-fixture.ts';
import { openOperatorPages } from './support/operator-journey.ts';
import { openOperator, signUpByApi } from './support/seed.ts';
import { texts } from './support/texts.ts';
import { newPerson } from './support/user-flows.ts';
import {
  addVirtualAuthenticator,
  findAccessibilityProblems,
  resize,
  untilNothingIsOpen,
} from './support/watched-page.ts';

const stage = startBrowserFixture();
const grace = newPerson('Grace');
const { loading } = texts.common;
const { audit, devices, view: views, ledger, person: record, title, users } = texts.operator;

async function openAs(role: string) {
  const window = await stage.open();
  await addVirtualAuthenticator(window.page);
  await openOperatorPages(window.page, {
    baseUrl: stage.service.baseUrl,
    grantOperator: (email) => stage.service.grantOperator(email, [`role:${role}`]),
  });
  return window;
}

async function openRecord(page: Page): Promise<void> {
  await page.goto('/operator?view=users&keyword=Grace');
  await page.getByRole('link', { name: 'Grace', exact: true }).click();
  await page.getByRole('heading', { name: 'Grace', exact: true }).waitFor();
}

/** Those of rows open what the row is about. */
const buttonsOf = (page: Page): Promise<string[]> =>
  page.getByRole('main').locator('button:not(tbody button)').allInnerTexts();

/** Opens each page of operators. @returns the buttons of each, where it has any */
async function listButtons(page: Page): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  const navigation = page.getByRole('navigation', { name: title });
  for (const name of Object.values(views)) {
    await navigation.getByRole('link', { name, exact: true }).click();
    await navigation.locator('[aria-current=page]').getByText(name, { exact: true }).waitFor();
    await expect.poll(() => page.getByRole('status', { name: loading }).count()).toBe(0);
    const buttons = await buttonsOf(page);
    if (buttons.length > 0) found[name] = buttons;
    expect(await findAccessibilityProblems(page)).toEqual([]);
  }
  return found;
}

const READS = {
  [views.users]: [users.search],
  [views.devices]: [users.search, devices.showReports],
  [views.money]: [users.search, users.search],
  [views.transfers]: [users.search, users.search, users.search, users.search],
  [views.payouts]: [users.search],
  [views.ledger]: [ledger.checkAgain, ledger.save, ledger.saveJournal],
  [views.audit]: [texts.shell.filter.button, audit.export, audit.search],
};

/** What opens on each page, and holds forms. */
const SHEETS = [
  { view: views.chains, row: 'Ethereum' },
  { view: views.applications, row: 'edge-console' },
  { view: views.applications, row: 'Shop' },
  { view: views.applications, row: 'Orders' },
  { view: views.prices, row: 'eth-price' },
  { view: views.webhooks, row: 'Bookkeeping' },
] as const;

async function makeWhatOpens(): Promise<void> {
  const { baseUrl, token } = await openOperator(stage.service);
  const send = (method: 'POST' | 'PUT', path: string, body: object) =>
    expectOk(`${baseUrl}/operator/${path}`, { method, token, body });
  await send('POST', 'webhooks', { url: 'https://books.example/', description: 'Bookkeeping' });
  await send('PUT', 'resource-servers/orders', {
    ...{ name: 'Orders', audience: 'https://orders.example', enabled: true },
    scopes: [{ name: 'orders:read', description: 'Read your orders' }],
  });
  await send('PUT', 'price-feeds/eth-price', {
    ...{ url: 'https://prices.example/eth', pointer: '/price', every_s: 60 },
    ...{ currency: 'ETH', quote_currency: 'USDT' },
  });
}

/** Its issuer is not there: the service, which reads its metadata, would not take it. */
const PROVIDER = {
  ...{ id: 'shop', label: 'Shop', issuer: 'https://id.shop.example', client_id: 'x' },
  ...{ scopes: ['openid'], second_factor_amr: [], has_secret: true, enabled: false },
};

/** Opens a row: its fields can be read, and nothing in the sheet changes anything. */
async function expectReadOnly(page: Page, { view, row }: (typeof SHEETS)[number]): Promise<void> {
  await page
    .getByRole('navigation', { name: title })
    .getByRole('link', { name: view, exact: true })
    .click();
  await page.getByRole('row').filter({ hasText: row }).getByRole('button').first().click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('textbox').first().waitFor();
  const { close } = texts.shell;
  expect(await sheet.getByRole('button').allInnerTexts(), row).toEqual(['']);
  await sheet.getByRole('button', { name: close }).waitFor();
  const fields = sheet.locator('input:not([type=checkbox],[type=radio]), textarea');
  const isReadOnly = await fields.evaluateAll((all) =>
    all.map((field) => field.hasAttribute('readonly')),
  );
  expect(new Set(isReadOnly), row).toEqual(new Set([true]));
  expect(await sheet.locator('select:enabled, input[role=switch]:enabled').count(), row).toBe(0);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);
}

test('a viewer opens what others change, and reads it', async () => {
  await makeWhatOpens();
  const window = await openAs('viewer');
  await window.page.route('**/operator/upstream-providers', (route) =>
    route.fulfill({ json: [PROVIDER] }),
  );
  for (const sheet of SHEETS) await expectReadOnly(window.page, sheet);
  await window.page.goto('/operator?view=brand');
  const name = window.page.getByLabel(texts.operator.brand.name, { exact: true });
  expect(await name.getAttribute('readonly')).not.toBeNull();
  await closeWithoutErrors(window);
});

test('a viewer reads every page, and finds nothing that changes something', async () => {
  const window = await openAs('viewer');
  const { page } = window;
  expect(await listButtons(page)).toEqual(READS);
  window.expectRefused('404 GET /operator/payout-policy');
  await signUpByApi(stage.service.baseUrl, grace);
  await openRecord(page);
  await page.getByRole('region', { name: record.wallets, exact: true }).waitFor();
  expect(await page.getByLabel(record.note).count()).toBe(0);
  expect(await buttonsOf(page)).toEqual([]);
  await closeWithoutErrors(window);
});

test('a supporter helps people, and finds no other change', async () => {
  const window = await openAs('support');
  const { page } = window;
  // On a phone the page of the person has it.
  await resize(page, 1024);
  await page.getByRole('button', { name: 'Disable Grace', exact: true }).waitFor();
  await resize(page, 390);
  const { [views.users]: _ofPeople, ...others } = await listButtons(page);
  const { [views.users]: _search, ...reads } = READS;
  expect(others).toEqual(reads);
  window.expectRefused('404 GET /operator/payout-policy');
  await openRecord(page);
  await page.getByLabel(record.note).waitFor();
  await page.getByRole('button', { name: record.endSessions }).waitFor();
  expect(await page.getByRole('button', { name: record.adjust }).count()).toBe(0);
  await closeWithoutErrors(window);
});
