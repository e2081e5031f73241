/** What operators do by hand with money, and the applications that they register. */
import type { Page, Route } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectOk } from '../../service/test/demo/http-client.ts';
import { closeWithoutErrors, startBrowserFixture } from './support/browser-fixture.ts';
import { expectWrong } from './support/focus.ts';
import { openOperatorPages } from './support/operator-journey.ts';
import { openOperator, signUpByApi } from './support/seed.ts';
import { texts } from './support/texts.ts';
import { newPerson } from './support/user-flows.ts';
import {
  addVirtualAuthenticator,
  findAccessibilityProblems,
  findOverflow,
  untilNothingIsOpen,
} from './support/watched-page.ts';

const { money } = texts.operator;

const stage = startBrowserFixture();
const grace = newPerson('Grace');
let page: Page;
let userId: number;
let expectRefused: (call: string) => void;

beforeAll(async () => {
  const { baseUrl } = stage.service;
  userId = (await signUpByApi(baseUrl, grace)).userId;
  const window = await stage.open({ viewport: { width: 390, height: 844 } });
  ({ page, expectRefused } = window);
  await addVirtualAuthenticator(page);
  await openOperatorPages(page, stage.service);
  return () => closeWithoutErrors(window);
});

async function expectSound(): Promise<void> {
  expect(await findAccessibilityProblems(page)).toEqual([]);
  expect(await findOverflow(page)).toEqual([]);
}

async function openView(name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).click();
}

test('a reward is paid manually once the person is named, once, with every decimal', async () => {
  await openView('Money');
  await page.getByText('No deposit waits for a decision').waitFor();
  await page.getByText('No reward is held').waitFor();
  await expectSound();
  await page.getByRole('button', { name: money.payReward }).click();
  const sheet = page.getByRole('dialog', { name: money.payReward });
  const person = sheet.getByLabel(money.person);
  const goOn = () => sheet.getByRole('button', { name: money.toConfirm }).click();
  await person.fill('Grace');
  await sheet.getByLabel(money.amount).fill('1.000000000000000001');
  await goOn();
  // Why it is paid is asked for, too.
  await sheet.getByLabel(money.remark).and(page.locator('[aria-invalid]')).waitFor();
  await sheet.getByLabel(money.remark).fill('Found a fault.');
  await goOn();
  await expectWrong(page, person, money.personInvalid);
  await person.fill('123456789');
  await goOn();
  await expectWrong(page, person, money.noPerson);
  await person.fill(String(userId));
  await goOn();
  const question = page.getByRole('dialog', {
    name: `Pay 1.000000000000000001 EDGE to Grace (Person\u00a0${userId})?`,
  });
  await question.getByRole('link', { name: grace.email }).waitFor();
  await question.getByText('Found a fault.').waitFor();
  await expectSound();
  const pay = question.getByRole('button', { name: 'Pay 1.000000000000000001 EDGE' });
  // The response is lost after the reward was paid: the second attempt pays nothing more.
  const loseAnswer = async (route: Route): Promise<void> => {
    await route.fetch();
    await route.abort('connectionreset');
  };
  await page.route('**/operator/rewards', loseAnswer, { times: 1 });
  await pay.click();
  await question.getByRole('alert').filter({ hasText: /\S/ }).first().waitFor();
  await expectSound();
  // Also after a look at what was filled in.
  await question.getByRole('button', { name: texts.shell.cancel }).click();
  await goOn();
  await pay.click();
  await page.getByText(/1\.000000000000000001 EDGE paid to Grace/).waitFor();
  await untilNothingIsOpen(page);
  const { token, baseUrl } = await openOperator(stage.service);
  const { records } = await expectOk<{ records: { amount: string; remark: string }[] }>(
    `${baseUrl}/operator/statements?userId=${userId}&wallet=bonus&currency=EDGE&current=1&size=20`,
    { token, headers: { prefer: 'amounts=string' } },
  );
  expect(records).toMatchObject([{ amount: '1.000000000000000001', remark: 'Found a fault.' }]);
});

test('a price is set and changed', async () => {
  await openView('Prices');
  await page.getByRole('button', { name: 'Set a price' }).click();
  const sheet = page.getByRole('dialog', { name: 'Set a price' });
  await sheet.getByLabel('Currency').fill('edge');
  await sheet.getByLabel('Price', { exact: true }).fill('0.1825');
  await sheet.getByRole('button', { name: 'Set a price' }).click();
  await sheet.waitFor({ state: 'detached' });
  const prices = page.getByRole('region', { name: 'Prices' });
  await prices.getByText('0.1825').waitFor();
  await prices.getByRole('button', { name: 'Change' }).click();
  await sheet.getByLabel('Price', { exact: true }).fill('0.19');
  await sheet.getByRole('button', { name: 'Set a price' }).click();
  await prices.getByText('0.19', { exact: false }).waitFor();
  await expectSound();
});

test('a deposit is rejected or held with a reason, and held rewards are released', async () => {
  const sent: unknown[] = [];
  const deposit = {
    id: 7,
    user_id: userId,
    currency: 'USDT',
    network_name: 'Ethereum',
    amount: '60.750000416666666667',
    tx_hash: `0x${'b'.repeat(64)}`,
    status: 'on_hold',
    detected_at: new Date().toISOString(),
  };
  const held = {
    user_id: userId,
    reason: 'shared_key',
    held_at: new Date().toISOString(),
    amount: '3.5',
  };
  const listOf = (record: object) => ({ records: [record], total: 1, current: 1, size: 20 });
  const confirming = { ...deposit, id: 8, status: 'confirming' };
  await page.route('**/operator/deposits?*', (route) =>
    route.fulfill({
      json: listOf(route.request().url().includes('status=confirming') ? confirming : deposit),
    }),
  );
  await page.route('**/operator/held-rewards?*', (route) => route.fulfill({ json: listOf(held) }));
  for (const path of [
    '**/operator/deposits/7/reject',
    '**/operator/deposits/8/hold',
    '**/operator/held-rewards/release',
  ])
    await page.route(path, (route) => {
      sent.push(route.request().postDataJSON());
      return route.fulfill({ json: { ...deposit, settlement_id: 1 } });
    });
  await openView('People');
  await openView('Money');
  await page.getByRole('button', { name: 'Reject' }).click();
  const sheet = page.getByRole('dialog', { name: 'Reject this deposit?' });
  await sheet.getByText('60.750000416666666667').waitFor();
  await sheet.getByRole('button', { name: 'Reject' }).click();
  await sheet.getByText('Enter a reason').first().waitFor();
  await sheet.getByLabel('Reason').fill('Sent by a contract');
  await expectSound();
  await sheet.getByRole('button', { name: 'Reject' }).click();
  await sheet.waitFor({ state: 'detached' });
  await page.getByText(/The deposit of 60\.75\d+ USDT is rejected\./).waitFor();
  const deposits = page.getByRole('region', { name: 'Deposits', exact: true });
  // By person, network and currency, together with the status.
  await deposits.getByLabel('Number of the person').fill(String(userId));
  await deposits.getByRole('button', { name: 'Search', exact: true }).click();
  await deposits.getByLabel('Currency').selectOption('UNKNOWN');
  const asked = page.waitForRequest(
    (request) =>
      request.url().includes('status=confirming') && request.url().includes(`userId=${userId}`),
  );
  await deposits.getByLabel('Status').selectOption('confirming');
  expect((await asked).url()).toContain('currency=UNKNOWN');
  await deposits.getByRole('button', { name: 'Hold' }).click();
  const hold = page.getByRole('dialog', { name: 'Hold this deposit?' });
  await hold.getByLabel('Reason').fill('Whose is it?');
  await hold.getByRole('button', { name: 'Hold' }).click();
  await hold.waitFor({ state: 'detached' });
  const rewards = page.getByRole('region', { name: 'Held referral rewards' });
  const owner = rewards.getByRole('link', { name: 'Grace', exact: true });
  expect(await owner.getAttribute('href')).toContain(`person=${userId}`);
  await rewards.getByText('shares a key with others').waitFor();
  await rewards.getByRole('button', { name: 'Release' }).click();
  const question = page.getByRole('dialog', { name: /because of Grace/ });
  await question.getByRole('link', { name: grace.email }).waitFor();
  await question.getByRole('button', { name: 'Release' }).click();
  await expectWrong(page, question.getByLabel(money.auditReason), money.auditReasonNeeded);
  await question.getByLabel(money.auditReason).fill('One household.');
  await expectSound();
  await question.getByRole('button', { name: 'Release' }).click();
  await question.waitFor({ state: 'detached' });
  await page.getByText(money.heldReleased.replace('{{amount}}', '3.50 EDGE')).waitFor();
  expect(sent).toEqual([
    { reason: 'Sent by a contract' },
    { reason: 'Whose is it?' },
    { user_id: userId, reason: 'One household.' },
  ]);
});

test('an application is registered, its secret shown once, and disabled', async () => {
  await openView('Applications');
  await page.getByRole('table', { name: 'Applications' }).getByText('edge-console').waitFor();
  await expectSound();
  await page.getByRole('button', { name: 'Add an application' }).click();
  const form = page.getByRole('dialog', { name: 'Add an application' });
  await form.getByLabel('Name').fill('Weather');
  await form.getByLabel('Kind').selectOption({ label: 'With a secret (server)' });
  await form.getByRole('switch', { name: 'It is ours' }).click();
  await form.getByLabel('Redirect URIs').fill('ftp://weather.example/back');
  await form.getByRole('button', { name: 'Register' }).click();
  await form.getByLabel('Redirect URIs').and(page.locator('[aria-invalid]')).waitFor();
  expectRefused('400 POST /operator/clients');
  await form.getByLabel('Redirect URIs').fill('https://weather.example/back');
  await form.getByRole('button', { name: 'Register' }).click();
  await form.getByText('it is shown once').waitFor();
  await expectSound();
  await form.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByRole('button', { name: 'Open Weather' }).click();
  const sheet = page.getByRole('dialog', { name: 'Weather' });
  // What was not chosen followed from the redirect URI.
  const isOn = (name: string) => sheet.getByRole('switch', { name }).isChecked();
  expect(await isOn('It is ours')).toBe(true);
  expect(await isOn('People sign in with it')).toBe(true);
  expect(await isOn('It acts for itself')).toBe(false);
  expect(await isOn('It must use PKCE')).toBe(true);
  await sheet.getByRole('switch', { name: 'May sign people in' }).click();
  await page.getByText('Off', { exact: true }).waitFor();
  await sheet.getByRole('button', { name: 'New secret' }).click();
  await sheet.getByText('it is shown once').waitFor();
  await sheet.getByRole('button', { name: 'I have kept it' }).click();
  await sheet.waitFor({ state: 'detached' });
});

test('every setting of an application can be changed; the rare ones are folded', async () => {
  const { applications } = texts.operator;
  await page.getByRole('button', { name: 'Open Weather' }).click();
  const sheet = page.getByRole('dialog', { name: 'Weather' });
  const save = () => sheet.getByRole('button', { name: applications.save }).click();
  await sheet.getByText(applications.more, { exact: true }).click();
  await sheet.getByLabel(applications.uris.policy_uri).fill('https://weather.example/policy');
  await sheet.getByLabel(applications.afterLogout).fill('https://weather.example/bye');
  await sheet.getByLabel(applications.lifetimes.access_token_lifetime).fill('600');
  await sheet.getByLabel(applications.algorithm).selectOption('ES256');
  await sheet.getByLabel(applications.roles).fill('staff');
  await expectSound();
  // What is wrong is shown although it is folded again.
  await sheet.getByText(applications.more, { exact: true }).click();
  await save();
  await sheet.getByLabel(applications.roles).and(page.locator('[aria-invalid]')).waitFor();
  await sheet.getByLabel(applications.roles).fill('staff editor');
  await sheet
    .getByRole('switch', { name: applications.requirements.require_pushed_authorization_requests })
    .click();
  await save();
  await untilNothingIsOpen(page);
  const { token, baseUrl } = await openOperator(stage.service);
  const { records } = await expectOk<{ records: { client_name: string }[] }>(
    `${baseUrl}/operator/clients?current=1&size=20`,
    { token },
  );
  expect(records.find(({ client_name }) => client_name === 'Weather')).toMatchObject({
    policy_uri: 'https://weather.example/policy',
    post_logout_redirect_uris: ['https://weather.example/bye'],
    access_token_lifetime: 600,
    id_token_signed_response_alg: 'ES256',
    roles: [{ group: 'staff', role: 'editor' }],
    require_pushed_authorization_requests: true,
  });
});

test('an application is deleted after a question, and that of the service is kept', async () => {
  const sure = page.getByRole('dialog', { name: /^Delete / });
  await page.getByRole('row').filter({ hasText: 'edge-console' }).getByRole('button').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await sure.getByRole('button', { name: 'Delete' }).click();
  await sure.getByText(texts.operator.problem.own_client).waitFor();
  expectRefused('409 DELETE /operator/clients/edge-console');
  await expectSound();
  await sure.getByRole('button', { name: 'Cancel' }).click();
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);
  await page.getByRole('button', { name: 'Open Weather' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await sure.getByRole('button', { name: 'Delete' }).click();
  await untilNothingIsOpen(page);
  await page.getByRole('button', { name: 'Open Weather' }).waitFor({ state: 'detached' });
});
