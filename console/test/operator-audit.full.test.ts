/** Operators read the audit log: filters, a difference, further pages, files, and who sees it. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectOk } from '../../service/test/demo/http-client.ts';
import { closeWithoutErrors, startBrowserFixture } from './support/browser-fixture.ts';
import { draw, watchShifts } from './support/layout-shifts.ts';
import { openOperatorPages } from './support/operator-journey.ts';
import { openOperator, setPrice, signUpByApi } from './support/seed.ts';
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
const grace = newPerson('Grace');
const { audit, view } = texts.operator;
let userId: number;
let window: WatchedWindow;
let page: Page;

const table = () => page.getByRole('table', { name: audit.entries });
const rows = () =>
  table()
    .getByRole('row')
    .filter({ has: page.getByRole('cell') });
const search = (): URLSearchParams => new URL(page.url()).searchParams;

beforeAll(async () => {
  userId = (await signUpByApi(stage.service.baseUrl, grace)).userId;
  const operator = await openOperator(stage.service);
  await setPrice(operator, 'EDGE', '0.1825');
  await setPrice(operator, 'EDGE', '0.123456789012345678');
  const send = (path: string, body: object) =>
    expectOk(`${operator.baseUrl}${path}`, { method: 'PUT', token: operator.token, body });
  await send(`/operator/users/${userId}/groups`, { groups: ['staff'] });
  await send(`/operator/users/${userId}/groups`, { groups: ['staff', 'eu'] });
  window = await stage.open({ viewport: { width: 1440, height: 900 } });
  page = window.page;
  await addVirtualAuthenticator(page);
  await openOperatorPages(page, stage.service);
  return () => closeWithoutErrors(window);
});

async function openLog(query = ''): Promise<void> {
  await page.goto(`/operator?view=audit${query}`);
  await page.getByRole('heading', { name: view.audit }).waitFor();
}

test('the log is in the navigation, and says who changed what, on whom, from where', async () => {
  await page.getByRole('link', { name: view.audit, exact: true }).click();
  const row = rows().filter({ hasText: audit.operation.setUserGroups }).first();
  await row.getByRole('cell', { name: 'operator', exact: false }).first().waitFor();
  await row.getByRole('cell', { name: '127.0.0.1' }).waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await row.getByRole('link', { name: `Person ${userId}` }).click();
  await page.getByRole('heading', { name: 'Grace', exact: true }).waitFor();
  const changes = page.getByRole('region', { name: audit.changes, exact: true });
  await changes.getByText(audit.operation.setUserGroups).first().waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await changes.getByRole('link', { name: audit.allChanges }).click();
  await page.getByText('2 entries found so far').waitFor();
  expect(search().get('userId')).toBe(String(userId));
});

test('an entry about money says whose, how much, what moved it and why', async () => {
  const operator = await openOperator(stage.service);
  const send = <T>(path: string, body: object) =>
    expectOk<T>(`${operator.baseUrl}${path}`, {
      method: 'POST',
      token: operator.token,
      body,
      headers: { 'idempotency-key': randomUUID() },
    });
  const other = await signUpByApi(stage.service.baseUrl, newPerson('Ada'));
  const wallet = { user_id: other.userId, wallet: 'asset' };
  const transfer = {
    credit: wallet,
    currency: 'EDGE',
    amount: '1234.5',
    business_id: 'adjustment',
  };
  const { results } = await send<{ results: { id: number }[] }>('/operator/transfers', {
    transfers: [{ ...transfer, debit: { house: 'adjustment' } }],
  });
  await send(`/operator/transfers/${results[0]?.id}/reverse`, { remark: 'twice by mistake' });
  await openLog();
  const what = audit.operation.reverseTransfer;
  const row = rows().filter({ hasText: what });
  await row.getByText('1,234.50').first().waitFor();
  await row.getByRole('link', { name: 'Ada', exact: true }).waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await row.getByRole('button').first().click();
  const sheet = page.getByRole('dialog', { name: what });
  await sheet.getByText('twice by mistake').waitFor();
  await sheet.getByText(texts.shell.business.adjustment).first().waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await sheet.getByRole('button', { name: /^Transfer \d+$/ }).click();
  const reverses = texts.operator.transfers.reverses;
  await page.getByRole('dialog').getByText(reverses, { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await sheet.getByRole('button', { name: `All changes of Person ${other.userId}` }).click();
  await untilNothingIsOpen(page);
  await page.getByText('1 entry found so far').waitFor();
  await page.goto(`/operator?view=users&person=${other.userId}`);
  const changes = page.getByRole('region', { name: audit.changes, exact: true });
  await changes.getByText(what).waitFor();
  await changes.getByText('twice by mistake', { exact: false }).waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
});

test('what the service did by itself has its name', async () => {
  await openLog('&actorKind=service');
  const start = audit.service.start;
  await rows().getByRole('cell', { name: start }).first().waitFor();
});

test('an entry opens to its difference, exact and field by field', async () => {
  await openLog();
  const prices = rows().filter({ hasText: audit.operation.setPrice });
  await prices.first().getByRole('button').click();
  const sheet = page.getByRole('dialog', { name: audit.operation.setPrice });
  const price = sheet.getByRole('row', { name: /^price 0/ });
  await price.getByText('0.1825', { exact: true }).waitFor();
  await price.getByText('0.123456789012345678', { exact: true }).waitFor();
  await sheet.getByText('setPrice', { exact: true }).waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await sheet.getByRole('button', { name: /^All changes of Price/ }).click();
  await untilNothingIsOpen(page);
  await page.getByText('2 entries found so far').waitFor();
  expect(search().get('subjectKind')).toBe('prices');
});

test('filters are kept in the address, and cleared at once', async () => {
  await openLog();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByLabel(audit.operationFilter).selectOption('setUserGroups');
  await page.getByText('2 entries found so far').waitFor();
  await page.getByLabel(audit.subjectKind, { exact: true }).selectOption('users');
  const id = page.getByLabel(audit.subjectId);
  await id.fill('999999');
  await id.press('Enter');
  await page.getByText(audit.noMatch).waitFor();
  expect(Object.fromEntries(search())).toEqual({
    ...{ view: 'audit', operation: 'setUserGroups' },
    ...{ subjectKind: 'users', subjectId: '999999' },
  });
  await page.reload();
  await page.getByText(audit.noMatch).waitFor();
  await page.getByRole('button', { name: 'Filter (3)' }).waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: texts.shell.filter.clear }).click();
  await table().waitFor();
  expect(search().toString()).toBe('view=audit');
});

test('the search finds what the page shows, by its own filters', async () => {
  await openLog();
  const field = page.getByLabel(audit.text);
  await field.fill(`Person ${userId}`);
  await field.press('Enter');
  await page.getByText('2 entries found so far').waitFor();
  const filters = { view: 'audit', userId: String(userId) };
  expect(Object.fromEntries(search())).toEqual(filters);
  expect(await page.getByLabel(audit.userId).inputValue()).toBe(String(userId));
  await field.fill(audit.operation.setPrice);
  await field.press('Enter');
  await rows().filter({ hasText: audit.operation.setPrice }).nth(1).waitFor();
  expect(Object.fromEntries(search())).toEqual({ view: 'audit', operation: 'setPrice' });
  await field.fill('a reason of no entry');
  await field.press('Enter');
  await page.getByText(audit.reasonsSealed).waitFor();
  expect(Object.fromEntries(search())).toMatchObject({ text: 'a reason of no entry' });
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: texts.shell.filter.clear }).click();
  await expect.poll(() => field.inputValue()).toBe('');
});

test('a search goes further back than one answer of the service', async () => {
  await stage.service.database.query(
    `insert into audit_entry (at, actor_kind, actor_id, operation, subject_kind, subject_id, after)
     select now() - interval '1 day' - make_interval(secs => n), 'command', 'root',
       'ledger business', 'transaction-types', 'kind-' || n, '{}' from generate_series(1, 4100) n`,
  );
  await openLog();
  await expect.poll(() => rows().count()).toBe(30);
  await page.getByRole('button', { name: audit.more }).click();
  await expect.poll(() => rows().count()).toBe(60);
  await page.getByLabel(audit.text).fill('kind-4100');
  await page.keyboard.press('Enter');
  await page.getByText(audit.noMatchYet).waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  const further = page.getByRole('button', { name: audit.furtherBack });
  await further.click();
  await page.getByText(audit.noMatchYet).waitFor();
  await window.untilRequestsEnd();
  await further.click();
  await page.getByText('1 entry found so far').waitFor();
  await rows().getByText('Transaction type kind-4100').waitFor();
});

test('what the filters show is exported as CSV and as JSON', async () => {
  await openLog('&operation=setUserGroups');
  await page.getByText('2 entries found so far').waitFor();
  await page.getByRole('button', { name: audit.export }).click();
  const sheet = page.getByRole('dialog', { name: audit.export });
  await sheet.getByText(audit.exportLeadFiltered).waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  const save = async (label: string): Promise<string> => {
    const started = page.waitForEvent('download');
    await sheet.getByRole('button', { name: label }).click();
    return (await readFile(await (await started).path())).toString('utf8');
  };
  const csv = await save(audit.csv);
  expect(csv).toMatch(/^\ufeffid,at,actor_kind/);
  expect(csv.trim().split('\r\n')).toHaveLength(3);
  expect(JSON.parse(await save(audit.json))).toMatchObject([
    { operation: 'setUserGroups', after: { groups: ['eu', 'staff'] } },
    { operation: 'setUserGroups', after: { groups: ['staff'] } },
  ]);
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);
});

test('a failure can be tried again; nothing shifts or is cut off on a phone', async () => {
  await page.setViewportSize({ width: 320, height: 700 });
  const shifts = await watchShifts(page);
  let isFailing = true;
  await page.route('**/operator/audit?*', (route) =>
    isFailing ? route.abort('failed') : route.continue(),
  );
  await openLog();
  await page.getByRole('alert').getByRole('button').waitFor();
  isFailing = false;
  await page.getByRole('alert').getByRole('button').click();
  await table().waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  expect(await findOverflow(page)).toEqual([]);
  await page.unroute('**/operator/audit?*');
  await openLog();
  await table().waitFor();
  await draw(page);
  expect(await shifts()).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  const errors = window.consoleErrors.splice(0);
  expect(errors.filter((error) => !error.includes('ERR_FAILED'))).toEqual([]);
});

test('who may not read the log does not find it', async () => {
  const other = await stage.open();
  await addVirtualAuthenticator(other.page);
  await openOperatorPages(other.page, {
    baseUrl: stage.service.baseUrl,
    grantOperator: (email) => stage.service.grantOperator(email, ['operator:users']),
  });
  await other.page.goto(`/operator?view=audit&subjectKind=users`);
  await other.page.getByRole('heading', { name: view.users, exact: true }).waitFor();
  expect(await other.page.getByRole('link', { name: view.audit }).count()).toBe(0);
  await other.page.goto(`/operator?view=users&person=${userId}`);
  await other.page.getByRole('region', { name: texts.operator.person.notes }).waitFor();
  expect(await other.page.getByText(audit.allChanges).count()).toBe(0);
  await closeWithoutErrors(other);
});
