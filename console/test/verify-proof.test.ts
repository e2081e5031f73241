/** "Verify in this browser", in a real one, on a proof that the service really made. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createManualClock } from '../../service/src/lib/clock.ts';
import { createProofKey, registerRewards, settleDue } from '../../service/src/rewards/index.ts';
import { openBrowser, type TestBrowser } from '../../service/test/support/browser.ts';
import { openTestDatabase } from '../../service/test/support/databases.ts';
import { type ServiceProcess, startService } from '../../service/test/support/service-process.ts';
import { createNetwork } from '../../service/test/support/settled-network.ts';
import { testMasterKey } from '../../service/test/support/test-config.ts';
import { asPerson, createTestServer } from '../../service/test/support/test-server.ts';
import { newPerson, signIn } from './support/journey.ts';
import { openOperator, payRewards, signUpByApi } from './support/seed.ts';
import { findAccessibilityProblems, openWindow, type WatchedWindow } from './support/window.ts';

const START = new Date('2026-05-01T00:00:00Z');
const HOUR_MS = 3_600_000;

let service: ServiceProcess;
let browser: TestBrowser;
let window: WatchedWindow;
let page: Page;
let proof = '';

/** Proof of a traffic reward: hours of settlement, without waiting for them. */
async function makeProof(): Promise<string> {
  const database = await openTestDatabase('embedded');
  const clock = createManualClock(START);
  const network = await createNetwork(database, clock, START);
  const app = createTestServer();
  registerRewards(app, { db: database, rewardCurrency: 'EDGE', proofKey: createProofKey(testMasterKey) });
  await network.use(START);
  clock.advance(2 * HOUR_MS);
  await settleDue({ database, clock, rewardCurrency: 'EDGE', grace_s: 600 });
  const headers = asPerson(network.users[0], 'account:read', 'dashboard:read');
  const { records } = (await app.inject({ url: '/me/rewards?current=1&size=20', headers })).json() as { records: { bill_id?: number; reward_type: string }[] };
  const paid = records.find(({ bill_id, reward_type }) => bill_id !== undefined && reward_type === 'TRAFFIC');
  const { body } = await app.inject({ url: `/me/rewards/${paid?.bill_id}/proof`, headers });
  await app.close();
  await database.close();
  return body;
}

beforeAll(async () => {
  [service, browser, proof] = await Promise.all([startService(), openBrowser(), makeProof()]);
  const person = newPerson();
  const account = await signUpByApi(service.baseUrl, person);
  const operator = await openOperator(service);
  await payRewards(operator, account.userId, [{ amount: '1', reward_type: 'TRAFFIC', event_at: START.toISOString() }]);
  window = await openWindow(browser.browser, service.baseUrl);
  page = window.page;
  await page.route('**/.well-known/reward-keys.json', (route) => route.fulfill({ json: { keys: [createProofKey(testMasterKey).published] } }));
  await page.route('**/me/rewards/*/proof', (route) => route.fulfill({ contentType: 'application/json', body: proof }));
  await page.goto('/');
  await signIn(page, service.baseUrl, person);
  await page.getByRole('heading', { name: 'Earned today' }).waitFor();
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await service?.dispose();
});

async function verifyHere(): Promise<void> {
  await page.goto('/wallets?wallet=bonus');
  await page.getByRole('list', { name: 'Bills' }).getByRole('button').first().click();
  await page.getByRole('button', { name: 'Verify in this browser' }).click();
}

test('a proof holds: signature, calculation, reports, path and seal', async () => {
  await verifyHere();
  await page.getByText('The proof holds.').waitFor();
  expect(await page.locator('li[data-passed=true]').count()).toBe(8);
  expect(await findAccessibilityProblems(page)).toEqual([]);
}, 60_000);

test('a proof whose amount does not follow from its rules does not hold, whoever signed it', async () => {
  const { signature: _, ...rest } = JSON.parse(proof);
  rest.line.rate = '1';
  proof = JSON.stringify({ ...rest, signature: createProofKey(testMasterKey).sign(JSON.stringify(rest)) });
  await verifyHere();
  await page.getByText('The proof does not hold.').waitFor();
  expect(await page.locator('li[data-passed=true]', { hasText: 'A published key signed it' }).count()).toBe(1);
  expect(await page.locator('li[data-passed=false]', { hasText: 'calculated again here' }).count()).toBe(1);
  expect(window.complaints).toEqual([]);
}, 60_000);
