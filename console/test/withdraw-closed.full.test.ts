/** Where no network is open for payouts, a page with money says so, and one without says that. */
import { expect, test } from 'vitest';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { signUpByApi } from './support/seed.ts';
import { seedAccount } from './support/seed-account.ts';
import { texts } from './support/texts.ts';
import { newPerson } from './support/user-flows.ts';
import { findAccessibilityProblems, findOverflow } from './support/watched-page.ts';

const { withdraw } = texts;
const stage = startBrowserFixture();

test('who has money reads that withdrawals are not open', async () => {
  const { person } = await seedAccount(stage.service);
  const { page } = await stage.openAs(person, { viewport: { width: 320, height: 640 } });
  await page.goto('/wallets/withdraw');
  await page.getByText(withdraw.notOpen).waitFor();
  expect(await page.getByText(withdraw.nothing).count()).toBe(0);
  expect(await findOverflow(page)).toEqual([]);
  expect(await findAccessibilityProblems(page)).toEqual([]);
});

test('who has none reads that there is nothing', async () => {
  const newcomer = newPerson();
  await signUpByApi(stage.service.baseUrl, newcomer);
  const { page } = await stage.openAs(newcomer);
  await page.goto('/wallets/withdraw');
  await page.getByText(withdraw.nothing).waitFor();
  expect(await page.getByText(withdraw.notOpen).count()).toBe(0);
});
