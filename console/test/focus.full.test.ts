/** Where the focus moves when its element disappears, and what is announced after a step. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { expectFocus, expectWrong, refuseOnce } from './support/focus.ts';
import { beginDevice, openOperator, payRewards, signInByApi } from './support/seed.ts';
import { type SeededAccount, seedAccount } from './support/seed-account.ts';
import { texts } from './support/texts.ts';
import { openSecurity } from './support/user-flows.ts';
import {
  addVirtualAuthenticator,
  untilNothingIsOpen,
  type WatchedWindow,
} from './support/watched-page.ts';

const stage = startBrowserFixture();
let seeded: SeededAccount;
let window: WatchedWindow;
let page: Page;

beforeAll(async () => {
  seeded = await seedAccount(stage.service);
  window = await stage.openAs(seeded.person);
  page = window.page;
});

test('a quote is announced, can be changed, and keeps the focus when refused', async () => {
  await page.goto('/wallets/convert');
  const amount = page.getByLabel('Amount');
  const offer = page.getByRole('heading', { name: /You get/ });
  await amount.fill('1,5');
  await page.getByRole('button', { name: 'See the offer' }).press('Enter');
  await expectWrong(page, amount, 'no commas');
  await amount.fill('100');
  await page.getByLabel('Into').selectOption('EDGE');
  await amount.press('Enter');
  await expectFocus(page, offer);
  // A currency has no price in itself.
  expect(await page.getByRole('term').allTextContents()).toEqual(['You give', 'Priced at']);
  await page.getByRole('button', { name: 'Change' }).press('Enter');
  await expectFocus(page, amount);
  expect(await amount.inputValue()).toBe('100');
  expect(await page.getByLabel('Into').inputValue()).toBe('EDGE');
  await page.getByLabel('Into').selectOption('USDT');
  await amount.press('Enter');
  await expectFocus(page, offer);
  await refuseOnce(page, 'POST **/bonus-account/convert', 503, 'unavailable');
  const convert = page.getByRole('button', { name: 'Convert now' });
  await convert.press('Enter');
  await page.getByRole('alert').getByText('cannot answer right now').waitFor();
  window.expectRefused('503 POST /bonus-account/convert');
  await expectFocus(page, page.getByRole('button', { name: texts.wallets.findOut }));
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('18.25 USDT arrived').waitFor();
  // After a reload the passkey would not be offered again.
  await page.waitForURL(/\/wallets\/convert$/);
  await expectFocus(page, page.getByRole('heading', { level: 1 }));
});

/** Holds the next call to a path until the returned function is called. */
async function hold(path: string): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(path, (route) => held.promise.then(() => route.continue()), { times: 1 });
  return held.resolve;
}

test('input during saving is kept, and a name is not cut inside a character', async () => {
  await page.goto('/devices');
  await page.getByRole('button', { name: /Edge Terminal on Debian 13/ }).click();
  const sheet = page.getByRole('dialog');
  const name = sheet.getByLabel('Name', { exact: true });
  const letName = await hold('**/me/devices/*');
  await name.fill('First');
  await name.press('Enter');
  await name.pressSequentially(' and more');
  letName();
  await sheet.getByRole('status').getByText('The device is called First now.').waitFor();
  expect(await name.inputValue()).toBe('First and more');
  const families = '👨‍👩‍👧‍👦'.repeat(10);
  await name.fill(families);
  await name.press('Enter');
  await expectWrong(page, name, 'This name is too long.');
  expect(await name.inputValue()).toBe(families);
  await name.fill('');
  await name.press('Enter');
  await sheet
    .getByRole('status')
    .getByText('it is called Edge Terminal on Debian 13 now.')
    .waitFor();

  await page.goto('/people');
  const linus = page.getByRole('listitem').filter({ hasText: 'Linus' });
  await linus.getByRole('button', { name: 'Add a note' }).click();
  const note = page.getByLabel('Note on Linus', { exact: true });
  const letNote = await hold('**/community/members/note');
  await note.fill('One');
  await note.press('Enter');
  await note.pressSequentially(' two');
  letNote();
  // Nothing is sent while the previous note is being saved.
  await linus.locator('button[type=submit]:not([aria-busy])').waitFor();
  expect(await note.inputValue()).toBe('One two');
  await note.fill('');
  await note.press('Enter');
  await linus.getByRole('button', { name: 'Add a note' }).waitFor();
});

test('a device is renamed, its name removed, revoked and deleted from the keyboard', async () => {
  await page.goto('/devices');
  const card = page.getByRole('button', { name: /Edge Terminal on Debian 13/ });
  await card.press('Enter');
  const sheet = page.getByRole('dialog');
  const name = sheet.getByLabel('Name', { exact: true });
  await name.fill('Cellar');
  await name.press('Enter');
  await sheet.getByRole('status').getByText('The device is called Cellar now.').waitFor();
  await expectFocus(page, name);
  await name.fill('   ');
  await name.press('Enter');
  await sheet
    .getByRole('status')
    .getByText('it is called Edge Terminal on Debian 13 now.')
    .waitFor();
  await expectFocus(page, name);
  expect(await name.inputValue()).toBe('');
  expect(await name.getAttribute('placeholder')).toBe('Edge Terminal on Debian 13');
  await name.fill('Cellar');
  await sheet.getByRole('button', { name: 'Save' }).press('Enter');
  await sheet.getByRole('status').getByText('The device is called Cellar now.').waitFor();
  await expectFocus(page, sheet.getByRole('button', { name: 'Save' }));

  for (const name of ['Disconnect', 'Delete']) {
    await sheet.getByRole('button', { name }).press('Enter');
    await page.getByRole('dialog', { name: `${name} Cellar?` }).press('Escape');
    await expectFocus(page, sheet.getByRole('button', { name }));
  }
  await sheet.getByRole('button', { name: 'Disconnect' }).press('Enter');
  await page
    .getByRole('dialog', { name: 'Disconnect Cellar?' })
    .getByRole('button', { name: 'Disconnect' })
    .press('Enter');
  await sheet.waitFor({ state: 'detached' });
  const cellar = page.getByRole('button', { name: /^Cellar Disconnected/ });
  await expectFocus(page, cellar);
  await cellar.press('Enter');
  await sheet.getByRole('button', { name: 'Delete' }).press('Enter');
  await page
    .getByRole('dialog', { name: 'Delete Cellar?' })
    .getByRole('button', { name: 'Delete' })
    .press('Enter');
  await cellar.waitFor({ state: 'detached' });
  await expectFocus(page, page.getByRole('button', { name: /Chrome/ }));
});

test('a denial is announced, the next code can be entered, and both survive a reload', async () => {
  const code = await beginDevice(stage.service.baseUrl);
  const question = page.getByRole('heading', { name: /shows the code/ });
  const field = page.getByLabel('Device code');
  await page.goto('/device');
  await field.fill(code);
  await expectFocus(page, question);
  // The question stays open, and a reload returns to it.
  await page.getByRole('heading', { name: '2. Enter its code' }).waitFor();
  await page.reload();
  await question.waitFor();
  await page.getByRole('button', { name: 'Deny' }).press('Enter');
  await page.getByRole('status').getByText(texts.devices.denied).waitFor();
  await expectFocus(page, field);
  expect(await field.inputValue()).toBe('');
  expect(new URL(page.url()).search).toBe('');
  await page.reload();
  await field.waitFor();
  expect(await question.count()).toBe(0);
  await field.fill(await beginDevice(stage.service.baseUrl));
  await expectFocus(page, question);
});

test('a device is looked up and authorised, and its step is announced', async () => {
  const code = await beginDevice(stage.service.baseUrl);
  await page.goto('/devices/add');
  await page.getByRole('radio', { name: 'Linux and macOS' }).check();
  const field = page.getByLabel('Device code');
  await field.fill('ABC');
  await page.getByRole('button', { name: 'Continue' }).press('Enter');
  await expectWrong(page, field, 'The code has eight letters.');
  await field.fill(code);
  await expectFocus(page, page.getByRole('heading', { name: /shows the code/ }));
  // Other events of the account reload everything but this lookup: each one counts as an attempt to
  // guess.
  const lookUps: string[] = [];
  page.on('request', (request) =>
    lookUps.push(
      ...(request.method() === 'GET' && request.url().includes('/oauth2/device')
        ? [request.url()]
        : []),
    ),
  );
  const isReadAgain = page.waitForResponse('**/me');
  const reward = { amount: '1', reward_type: 'BONUS', event_at: new Date().toISOString() };
  await payRewards(await openOperator(stage.service), seeded.account.userId, [reward]);
  await isReadAgain;
  expect(lookUps).toEqual([]);
  const allow = page.getByRole('button', { name: 'Allow' });
  await refuseOnce(page, 'POST **/oauth2/device', 500, 'internal_error');
  await allow.press('Enter');
  await page.getByRole('alert').getByText(texts.common.problem.internal_error).waitFor();
  window.expectRefused('500 POST /oauth2/device');
  await expectFocus(page, allow);
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('Allowed.').waitFor();
  await expectFocus(page, page.getByRole('heading', { name: '2. Enter its code' }));
});

test('closing a note focuses its button, and search results are announced', async () => {
  await page.goto('/people');
  const linus = page.getByRole('listitem').filter({ hasText: 'Linus' });
  await linus.getByRole('button', { name: 'Add a note on Linus' }).press('Enter');
  await page.keyboard.type('kernel');
  await page.keyboard.press('Enter');
  const note = page.getByRole('button', { name: 'Note on Linus: kernel' });
  await expectFocus(page, note);
  await page.keyboard.press('Enter');
  await expectFocus(page, page.getByLabel('Note on Linus', { exact: true }));
  await page.keyboard.press('Escape');
  await expectFocus(page, note);
  const search = page.getByLabel('Nickname or email');
  await search.fill('linus');
  await search.press('Enter');
  await page.getByRole('status').getByText('1 member', { exact: true }).waitFor();
  await search.fill('no member of this name');
  await search.press('Enter');
  await page.getByRole('status').getByText(texts.people.noMatch).waitFor();
  await expectFocus(page, search);
});

test('after clearing filters the focus is on the list, and its length is announced', async () => {
  await page.goto('/wallets?wallet=bonus');
  await page
    .getByRole('status')
    .getByText(/^\d+ entries$/)
    .waitFor();
  await page.getByRole('button', { name: 'Filter' }).press('Enter');
  await page.getByLabel('From', { exact: true }).fill('20990101');
  await page.getByRole('button', { name: 'Clear the filters' }).press('Enter');
  await page
    .getByRole('status')
    .getByText(/^\d+ entries$/)
    .waitFor();
  await expectFocus(page, page.getByRole('heading', { name: 'Activity' }));
});

test('when sessions end the focus moves to the next one, then to the heading', async () => {
  for (let session = 0; session < 3; session++)
    await signInByApi(stage.service.baseUrl, seeded.person);
  await page.goto('/');
  await openSecurity(page);
  const ends = page.getByRole('button', { name: /^End Safari.*127\.0\.0\.1/ });
  const count = await ends.count();
  expect(count).toBeGreaterThanOrEqual(3);
  await ends.first().press('Enter');
  await expect.poll(() => ends.count()).toBe(count - 1);
  await expectFocus(page, ends.first());
  await page.getByRole('button', { name: 'End all others' }).press('Enter');
  await expect.poll(() => ends.count()).toBe(0);
  await expectFocus(page, page.getByRole('heading', { name: 'Sessions' }));
});

test('a passkey is added, its recovery codes are saved, and it is removed again', async () => {
  await addVirtualAuthenticator(page);
  const add = page.getByRole('button', { name: 'Add a passkey' });
  await add.press('Enter');
  await page.getByRole('button', { name: 'Create passkey' }).press('Enter');
  await page.getByRole('button', { name: 'I have saved them' }).press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expectFocus(page, add);
  await page.getByRole('button', { name: 'Remove My device' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expectFocus(page, add);
});

test('cancelling the authenticator setup restores the focus at either step', async () => {
  await page.goto('/security');
  const setUp = page.getByRole('button', { name: 'Set up' });
  const sheet = page.getByRole('dialog', { name: 'Authenticator app' });
  await setUp.press('Enter');
  await sheet.waitFor();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  await expectFocus(page, setUp);
  await setUp.press('Enter');
  const code = sheet.getByLabel('Code', { exact: true });
  await expectFocus(page, code);
  await code.fill('12');
  await code.press('Enter');
  await expectWrong(page, code, 'The code has six digits.');
  await page.goBack();
  await sheet.waitFor({ state: 'detached' });
  await expectFocus(page, setUp);
  await untilNothingIsOpen(page);
});

test('Escape leaves a day of the chart', async () => {
  await page.goto('/');
  const chart = page.getByRole('slider', { name: 'Earnings by day' });
  const sum = await chart.getAttribute('aria-valuetext');
  await chart.press('ArrowLeft');
  expect(await chart.getAttribute('aria-valuetext')).not.toBe(sum);
  await page.keyboard.press('Escape');
  expect(await chart.getAttribute('aria-valuetext')).toBe(sum);
  expect(window.consoleErrors).toEqual([]);
});
