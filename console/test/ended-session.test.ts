/** A session that ends while its page is open: the stream says so, and only where it could not is anything refused. */
import { beforeEach, expect, test } from 'vitest';
import { expectOk } from '../../service/test/demo/http-client.ts';
import { newPerson, type Person, signIn } from './support/journey.ts';
import { type Account, openOperator, payRewards, signUpByApi } from './support/seed.ts';
import { setStage } from './support/stage.ts';
import type { WatchedWindow } from './support/window.ts';

const stage = setStage();
let person: Person;
let account: Account;
let window: WatchedWindow;

beforeEach(async () => {
  person = newPerson();
  account = await signUpByApi(stage.service.baseUrl, person);
  window = await stage.openAs(person);
  await window.page.getByRole('status').getByText('Live').waitFor({ state: 'attached' });
  return () => window.context.close();
}, 60_000);

function endSessions(): Promise<unknown> {
  return expectOk(`${stage.service.baseUrl}/user/logout`, { token: account.accessToken, body: { id: account.userId, everywhere: true } });
}

test('it leads back to the sign-in, and nothing is asked for in its name any more', async () => {
  await endSessions();
  await window.page.getByLabel('Email').waitFor();
  await window.page.getByRole('status').getByText('You were signed out everywhere.').waitFor();
  expect(window.complaints).toEqual([]);
}, 60_000);

test('a page that could not be told hears of it by one refusal', async () => {
  await window.context.setOffline(true);
  await window.page.getByRole('status').getByText('Catching up').waitFor();
  await endSessions();
  await window.context.setOffline(false);
  await window.page.getByLabel('Email').waitFor();
  await window.page.getByRole('status').getByText('You were signed out everywhere.').waitFor();
  expect(window.complaints).toEqual(['refused: 401 GET /me/events']);
}, 60_000);

test('who comes back to an order to convert finds what they typed, to the last decimal', async () => {
  const { page } = window;
  const operator = await openOperator(stage.service);
  await payRewards(operator, account.userId, [{ amount: '10', reward_type: 'BONUS', event_at: new Date().toISOString() }]);
  await page.goto('/wallets/convert');
  await page.getByLabel('Amount').fill('1.234567890123456780');
  await page.getByLabel('Into').selectOption('ETH');
  await endSessions();
  await page.getByRole('status').getByText('You were signed out everywhere.').waitFor();
  await signIn(page, stage.service.baseUrl, person);
  expect(await page.getByLabel('Amount').inputValue()).toBe('1.234567890123456780');
  expect(await page.getByLabel('Into').inputValue()).toBe('ETH');
  await page.reload();
  expect(await page.getByLabel('Amount').inputValue()).toBe('1.234567890123456780');
}, 60_000);
