/**
 * What the main path of payouts does not meet: the code of an authenticator app, a long queue, and
 * what operators do when a signer or a transaction goes wrong. Nothing is sent here.
 */
import { readFile } from 'node:fs/promises';
import { Secret, TOTP } from 'otpauth';
import type { Page, Route } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { expectWrong } from './support/focus.ts';
import { openOperatorPages } from './support/operator-journey.ts';
import { endQuarantine, findUserId, fundAsset, PAYEE, putPolicy, RULE } from './support/payouts.ts';
import { type Operator, openOperator } from './support/seed.ts';
import { texts } from './support/texts.ts';
import { newPerson, openSecurity, signUpFromStart } from './support/user-flows.ts';
import {
  addVirtualAuthenticator,
  findAccessibilityProblems,
  resize,
  untilNothingIsOpen,
  type WatchedWindow,
} from './support/watched-page.ts';

const NETWORK = 'POLYGON';
const { withdraw, security, operator: operatorTexts } = texts;
const { payouts } = operatorTexts;

const stage = startBrowserFixture();
const person = newPerson();
let operator: Operator;
let own: WatchedWindow;
let page: Page;
let desk: Page;
let totp: TOTP;

/** Opens a network of which no chain answers. */
async function openNetwork(): Promise<void> {
  await stage.service.database.query(
    `insert into deposit_wallet (family, xpub, created_at) values ('evm', 'none', now())`,
  );
  await stage.service.database.query(
    `update network set wallet_id = (select max(id) from deposit_wallet), is_enabled = true,
       rpc_urls_sealed = '', poll_ms = 3600000 where code = $1`,
    [NETWORK],
  );
}

async function openOwnPage(): Promise<void> {
  own = await stage.open({ viewport: { width: 390, height: 844 } });
  page = own.page;
  await signUpFromStart(page, stage.service.baseUrl, person);
  await openSecurity(page);
  await page.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog', { name: 'Authenticator app' });
  totp = new TOTP({
    secret: Secret.fromBase32((await dialog.locator('code').textContent()) ?? ''),
  });
  await dialog.getByLabel('Code', { exact: true }).fill(totp.generate());
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await untilNothingIsOpen(page);
}

async function openDesk(): Promise<void> {
  desk = (await stage.open()).page;
  await addVirtualAuthenticator(desk);
  await openOperatorPages(desk, stage.service);
  await desk.getByRole('link', { name: operatorTexts.view.payouts, exact: true }).click();
}

beforeAll(async () => {
  operator = await openOperator(stage.service);
  await openNetwork();
  const rule = { ...RULE, network: NETWORK, automatic_max: '50', person_day_max: '70' };
  await Promise.all([putPolicy(operator, rule), openOwnPage(), openDesk()]);
  const userId = await findUserId(stage.service, person);
  await fundAsset(operator, userId, '100');
  await stage.service.database.query(
    `insert into payout_address (user_id, network, address, address_key, label, created_at,
       usable_at) values ($1, $2, $3, lower($3), 'Cold wallet', now(), now())`,
    [userId, NETWORK, PAYEE],
  );
  await endQuarantine(stage.service);
});

const queue = () => desk.getByRole('table', { name: payouts.queue });

async function listStatus(status: keyof typeof withdraw.status): Promise<void> {
  await desk.getByLabel(payouts.status).selectOption(status);
}

/** Enters the remark of a decision, and makes it. */
async function decide(action: string, remark: string): Promise<void> {
  await desk.getByRole('dialog').getByRole('button', { name: action }).click();
  const question = desk.getByRole('dialog').last();
  await question.getByLabel(payouts.remark).fill(remark);
  expect(await findAccessibilityProblems(desk)).toEqual([]);
  await question.getByRole('button', { name: action }).click();
  await untilNothingIsOpen(desk);
}

/** The list leads to the person, and the sheet says who it is. */
async function expectOwner(): Promise<void> {
  const userId = await findUserId(stage.service, person);
  const link = queue().getByRole('link', { name: person.nickname, exact: true });
  expect(await link.getAttribute('href')).toContain(`person=${userId}`);
  await queue().getByRole('button').first().click();
  await desk.getByRole('dialog').getByRole('link', { name: person.email }).waitFor();
  expect(await findAccessibilityProblems(desk)).toEqual([]);
  await desk.keyboard.press('Escape');
  await untilNothingIsOpen(desk);
}

test('more than the limit of the day leaves is not asked for, and that is the most', async () => {
  await page.goto('/wallets/withdraw');
  await page.getByText(withdraw.leftToday).waitFor();
  const amount = page.getByLabel(withdraw.amount);
  const review = () => page.getByRole('button', { name: withdraw.seeTerms, exact: true }).click();
  const above = withdraw.aboveLeftToday.replace('{{amount}}', '70.00 USDT');
  await amount.fill('70.000001');
  await review();
  await expectWrong(page, amount, above);
  // The balance is 100: what is not there is said first.
  await amount.fill('100.000001');
  await review();
  await expectWrong(page, amount, texts.common.problem.insufficient_funds);
  await page.getByRole('button', { name: texts.wallets.max, exact: true }).click();
  expect(await amount.inputValue()).toBe('70');
  expect(await findAccessibilityProblems(page)).toEqual([]);
});

test('an account with an authenticator app is asked for its code', async () => {
  await page.getByLabel(withdraw.amount).fill('20');
  await page.getByRole('button', { name: withdraw.seeTerms, exact: true }).click();
  await page.getByText(withdraw.validUntil).waitFor();
  await page.getByRole('button', { name: withdraw.confirm }).click();
  const proof = page.getByRole('dialog', { name: security.proof.title });
  await proof.getByLabel('Password', { exact: true }).fill(person.password);
  await proof.getByRole('button', { name: 'Continue' }).click();
  await proof.getByText('your authenticator app shows').waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  // The code of now was used to set it up.
  await proof.getByLabel('Code').fill(totp.generate({ timestamp: Date.now() + 30_000 }));
  await page.getByText('19.00 USDT will arrive').waitFor();
  own.expectRefused('403 POST /payouts');
  await page.getByText(withdraw.status.in_review).waitFor();
  expect(own.consoleErrors).toEqual([]);
});

test('without a passkey it cannot be approved, and the way to add one is there', async () => {
  await desk.route('**/operator/payout-approver-keys', (route) => route.fulfill({ json: [] }));
  await desk.reload();
  await queue().getByRole('button').first().click();
  const sheet = desk.getByRole('dialog');
  await sheet.getByText(payouts.noPasskey).waitFor();
  const approve = sheet.getByRole('button', { name: payouts.approve });
  expect(await approve.getAttribute('aria-disabled')).toBe('true');
  const link = sheet.getByRole('link', { name: payouts.toSecurity });
  expect(await link.getAttribute('href')).toBe('/security');
  expect(await findAccessibilityProblems(desk)).toEqual([]);
  await desk.keyboard.press('Escape');
  await untilNothingIsOpen(desk);
  await desk.unroute('**/operator/payout-approver-keys');
  await desk.reload();
});

/** As after an approval of the operator of this window, where two are needed. */
async function answerApproved(route: Route): Promise<void> {
  const { rows } = await stage.service.database.query<{ id: number }>(
    `select id from app_user where nickname = 'Hopper'`,
  );
  const response = await route.fetch();
  const answer = (await response.json()) as { records: { document_hash: string }[] };
  const created_at = new Date().toISOString();
  const records = answer.records.map((payout) => ({
    ...payout,
    approvals_needed: 2,
    decisions: [
      { decision: 'approved_by_policy', decided_by: 'policy:3', details: {}, created_at },
      {
        ...{ decision: 'approved', decided_by: `user:${rows[0]?.id}`, created_at },
        details: { document_hash: payout.document_hash },
      },
    ],
  }));
  await route.fulfill({ response, json: { ...answer, records } });
}

test('who has approved is named, and approves no second time', async () => {
  await desk.route('**/operator/payouts?*', answerApproved);
  await resize(desk, 390, 640);
  await desk.reload();
  await queue().getByRole('button').first().click();
  const sheet = desk.getByRole('dialog');
  const decisions = sheet.getByRole('list', { name: payouts.decisions });
  await decisions.getByRole('link', { name: 'Hopper', exact: true }).waitFor();
  await decisions.getByText('Policy, version 3').waitFor();
  await sheet.getByText(payouts.approvedByYou).waitFor();
  const approve = sheet.getByRole('button', { name: payouts.approve });
  expect(await approve.getAttribute('aria-disabled')).toBe('true');
  // What decides is in sight, wherever the sheet is scrolled to.
  const isInSight = () =>
    approve.evaluate((button) => {
      const { left, top, width, height } = button.getBoundingClientRect();
      const seen = document.elementFromPoint(left + width / 2, top + height / 2);
      return button.contains(seen);
    });
  expect(await isInSight()).toBe(true);
  await sheet.evaluate((dialog) => dialog.scrollTo(0, dialog.scrollHeight));
  expect(await isInSight()).toBe(true);
  await decisions.getByRole('listitem').last().waitFor();
  expect(await findAccessibilityProblems(desk)).toEqual([]);
  await desk.keyboard.press('Escape');
  await untilNothingIsOpen(desk);
  await desk.unroute('**/operator/payouts?*');
  await resize(desk, 390);
  await desk.reload();
});

test('a policy that does not review new addresses approves it', async () => {
  await queue().getByText(payouts.reason.new_address).waitFor();
  await expectOwner();
  await desk.getByRole('button', { name: payouts.changeGeneral }).click();
  const sheet = desk.getByRole('dialog');
  const isReviewed = sheet.getByRole('switch', { name: payouts.reviewsNewAddress });
  expect(await isReviewed.isChecked()).toBe(true);
  await isReviewed.uncheck();
  await sheet.getByRole('button', { name: payouts.saveRule }).click();
  await desk.getByText('Version 2').waitFor();
  await untilNothingIsOpen(desk);
  await page.goto('/wallets/withdraw');
  await page.getByLabel(withdraw.amount).fill('21');
  await page.getByRole('button', { name: withdraw.seeTerms, exact: true }).click();
  await page.getByRole('button', { name: withdraw.confirm }).click();
  await page.getByText('20.00 USDT will arrive').waitFor();
  await page.getByText(withdraw.status.approved).waitFor();
});

test('a payout is taken back from a signer that lost its state', async () => {
  await stage.service.database.query(
    `update payout set status = 'signed', reason_code = 'taken_by_signer', signer = 'lost/state'
     where status = 'approved'`,
  );
  await listStatus('signed');
  await queue().getByRole('button').click();
  await decide(payouts.release, 'The signer lost its state.');
  await desk.getByText(payouts.none).waitFor();
  await listStatus('in_review');
  await queue().getByText(payouts.reason.released_to_queue).waitFor();
});

test('an operator decides about a transaction that pays something else', async () => {
  await stage.service.database.query(
    `update payout set status = 'sent', reason_code = 'transaction_mismatch',
       tx_hash = '0x01', followed_at = now() + interval '1 day'
     where 'released_to_queue' = any(review_reasons)`,
  );
  await listStatus('sent');
  await queue().getByText(payouts.reasonOfStatus.transaction_mismatch).waitFor();
  await queue().getByRole('button').click();
  await desk.getByRole('dialog').getByText(payouts.mismatchLead).waitFor();
  await decide(payouts.accept, 'All but what the token keeps.');
  await queue().getByRole('button').click();
  const sheet = desk.getByRole('dialog');
  await sheet.getByText(payouts.decision.mismatch_accepted).waitFor();
  await sheet.getByText('All but what the token keeps.').waitFor();
  await desk.keyboard.press('Escape');
  await untilNothingIsOpen(desk);
});

test('a long queue is shown page after page', async () => {
  await stage.service.database.query(
    `insert into payout (user_id, address_id, network, currency, amount, fee, hold_id,
       idempotency_key, request_hash, status, reason_code, policy_version, step_up, document,
       document_hash, check_at, followed_at, requested_at, updated_at)
     select user_id, address_id, network, currency, amount, fee, -n, 'copy ' || n, '', 'rejected',
       'rejected_by_operator', policy_version, step_up, document, document_hash, check_at,
       followed_at, requested_at, updated_at
     from payout cross join generate_series(1, 23) as n where status = 'sent'`,
  );
  await listStatus('rejected');
  const rows = queue().locator('tbody tr');
  await rows.nth(19).waitFor();
  expect(await rows.count()).toBe(20);
  await desk.getByRole('button', { name: payouts.more }).click();
  await rows.nth(22).waitFor();
  expect(await rows.count()).toBe(23);
  await desk.getByRole('button', { name: payouts.more }).waitFor({ state: 'detached' });
});

test('a payout that leaves the list closes, and stays closed in its next list', async () => {
  const rows = queue().locator('tbody tr');
  await rows.first().getByRole('button').click();
  const sheet = desk.getByRole('dialog');
  await sheet.getByText(payouts.hash).waitFor();
  await stage.service.database.query(
    `update payout set status = 'cancelled', reason_code = 'cancelled_by_user'
     where id = (select min(id) from payout where status = 'rejected')`,
  );
  await untilNothingIsOpen(desk);
  await listStatus('cancelled');
  await queue().getByText(payouts.reasonOfStatus.cancelled_by_user).waitFor();
  expect(await sheet.count()).toBe(0);
});

test('a payout is found by its number, and by its address', async () => {
  const search = desk.getByRole('searchbox', { name: payouts.find });
  await search.fill('abc');
  await search.press('Enter');
  await desk.locator('[aria-invalid]').waitFor();
  await desk.getByText(operatorTexts.transfers.noNumber).first().waitFor();
  expect(await findAccessibilityProblems(desk)).toEqual([]);
  await search.fill('#1');
  await search.press('Enter');
  const sheet = desk.getByRole('dialog', { name: 'Payout 1', exact: true });
  await sheet.getByText(payouts.hash).waitFor();
  expect(await desk.locator('[aria-invalid]').count()).toBe(0);
  await desk.keyboard.press('Escape');
  await untilNothingIsOpen(desk);
  await desk.goto('/operator?view=payouts&payout=1');
  await sheet.getByText(payouts.hash).waitFor();
  await desk.keyboard.press('Escape');
  await untilNothingIsOpen(desk);
  await expect.poll(() => new URL(desk.url()).searchParams.get('payout')).toBeNull();
});

test('an operator copies the public keys of the own passkeys for the signer', async () => {
  const keys = desk.getByRole('region', { name: payouts.approverKeys.title, exact: true });
  const { rows } = await stage.service.database.query(
    `select credential_id, encode(public_key, 'hex') as hex from passkey`,
  );
  const expected = rows.map(({ credential_id, hex }) => ({
    credential_id,
    public_key: Buffer.from(String(hex), 'hex').toString('base64url'),
  }));
  await keys.getByText(expected[0]?.public_key ?? '').waitFor();
  const download = desk.waitForEvent('download');
  await keys.getByRole('button', { name: payouts.approverKeys.download }).click();
  const file = await (await download).path();
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(expected);
  await desk.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await keys.getByRole('button', { name: payouts.approverKeys.copy }).click();
  await keys.getByRole('button', { name: texts.shell.copied }).waitFor();
  expect(JSON.parse(await desk.evaluate(() => navigator.clipboard.readText()))).toEqual(expected);
  expect(await findAccessibilityProblems(desk)).toEqual([]);
});
