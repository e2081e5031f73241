/**
 * The shortest path to what people come for, on a phone, from the home page: at most five taps.
 * Typing an amount is not a tap; each control that is pressed or opened is one. The seconds of each
 * path are printed, and not compared: they are those of the machine.
 */
import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { endQuarantine, findUserId, fundAsset, PAYEE, putPolicy, RULE } from './support/payouts.ts';
import { openOperator } from './support/seed.ts';
import { type SeededAccount, seedAccount } from './support/seed-account.ts';
import { texts } from './support/texts.ts';
import { overview } from './support/user-flows.ts';

const TAPS_MAX = 5;
const NETWORK = 'POLYGON';
const { home, shell, wallets, withdraw } = texts;

const stage = startBrowserFixture();
let seeded: SeededAccount;
let page: Page;
let taps = 0;
/** When the home page was there. */
let begun_ms = 0;

/** A network of which no chain answers, and an address that can be used. */
async function allowPayouts(): Promise<void> {
  const { database } = stage.service;
  await database.query(
    `insert into deposit_wallet (family, xpub, created_at) values ('evm', 'none', now())`,
  );
  await database.query(
    `update network set wallet_id = (select max(id) from deposit_wallet), is_enabled = true,
       rpc_urls_sealed = '', poll_ms = 3600000 where code = $1`,
    [NETWORK],
  );
  const operator = await openOperator(stage.service);
  await putPolicy(operator, { ...RULE, network: NETWORK, email_only_day_max: '200' });
  const userId = await findUserId(stage.service, seeded.person);
  await fundAsset(operator, userId, '100');
  await database.query(
    `insert into payout_address (user_id, network, address, address_key, label, created_at,
       usable_at) values ($1, $2, $3, lower($3), 'Cold wallet', now(), now())`,
    [userId, NETWORK, PAYEE],
  );
  await endQuarantine(stage.service);
}

beforeAll(async () => {
  seeded = await seedAccount(stage.service);
  await allowPayouts();
  ({ page } = await stage.openAs(seeded.person, { viewport: { width: 390, height: 844 } }));
});

/** The home page, with no tap made. */
async function begin(): Promise<void> {
  await page.goto('/');
  await overview(page).waitFor();
  taps = 0;
  begun_ms = performance.now();
}

afterEach(({ task }) => {
  const seconds = ((performance.now() - begun_ms) / 1000).toFixed(1);
  console.log(`${task.name}: ${taps} taps, ${seconds} s`);
});

async function tap(target: Locator): Promise<void> {
  taps++;
  await target.click();
}

const visible = (target: Locator): Locator => target.filter({ visible: true }).first();

/** Opens a page by the navigation, and waits for it: the last page may have such a button too. */
async function go(name: string): Promise<void> {
  await tap(visible(page.getByRole('link', { name, exact: true })));
  await page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
}

test("today's earnings", async () => {
  await begin();
  await page.getByRole('heading', { name: home.today }).waitFor();
  expect(taps).toBeLessThanOrEqual(TAPS_MAX);
});

test.each(['statement', 'table'] as const)('a month as a %s', async (kind) => {
  await begin();
  await go(shell.nav.wallets);
  await tap(visible(page.getByRole('button', { name: wallets.export })));
  // The newest month is chosen already.
  const isStatement = kind === 'statement';
  const saved = page.waitForEvent('download');
  await tap(
    page.getByRole('dialog').getByRole('button', {
      name: isStatement ? 'Save PDF' : 'Save CSV',
    }),
  );
  expect((await saved).suggestedFilename()).toMatch(isStatement ? /\.pdf$/ : /\.csv$/);
  expect(taps).toBeLessThanOrEqual(TAPS_MAX);
});

test('cutting off a device', async () => {
  await begin();
  await go(shell.nav.devices);
  await tap(
    page
      .getByRole('main')
      .getByRole('button', { name: /Online|Offline/ })
      .first(),
  );
  await tap(page.getByRole('button', { name: 'Disconnect', exact: true }));
  await tap(page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).last());
  await page.getByRole('button', { name: /Disconnected · disconnected by you/ }).waitFor();
  expect(taps).toBeLessThanOrEqual(TAPS_MAX);
});

test('asking for a payout', async () => {
  await begin();
  await go(shell.nav.wallets);
  await tap(page.getByRole('link', { name: withdraw.title }));
  await page.getByLabel(withdraw.amount).fill('26.25');
  await tap(page.getByRole('button', { name: withdraw.seeTerms, exact: true }));
  await tap(page.getByRole('button', { name: withdraw.confirm }));
  await page.getByText('25.25 USDT will arrive').waitFor();
  expect(taps).toBeLessThanOrEqual(TAPS_MAX);
});
