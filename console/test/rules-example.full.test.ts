/** On a fresh service the page of rules offers an example, which one click activates. */
import { expect, test } from 'vitest';
import { expectOk } from '../../service/test/demo/http-client.ts';
import { closeWithoutErrors, startBrowserFixture } from './support/browser-fixture.ts';
import { openOperatorPages } from './support/operator-journey.ts';
import { openOperator } from './support/seed.ts';
import { texts } from './support/texts.ts';
import {
  addVirtualAuthenticator,
  findAccessibilityProblems,
  findOverflow,
  untilNothingIsOpen,
} from './support/watched-page.ts';

const stage = startBrowserFixture();
const { rules } = texts.operator;

test('an example fills the draft, and is active after one click', async () => {
  const window = await stage.open({ viewport: { width: 320, height: 700 } });
  const { page } = window;
  await addVirtualAuthenticator(page);
  await openOperatorPages(page, stage.service);
  await page.goto('/operator?view=rules');
  await page.getByText('1 EDGE for each hour online').waitFor();
  expect(await findOverflow(page)).toEqual([]);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: rules.example.use }).click();
  const sheet = page.getByRole('dialog', { name: rules.draft });
  await sheet.getByRole('row', { name: rules.form.perHour }).waitFor();
  expect(await sheet.getByLabel(rules.form.perHour).inputValue()).toBe('1');
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);
  await page.getByRole('button', { name: rules.example.activate }).click();
  await page.getByText(rules.example.activated).waitFor();
  await page.getByText(rules.activeFrom, { exact: false }).waitFor();
  const { baseUrl, token } = await openOperator(stage.service);
  const [newest] = await expectOk<object[]>(`${baseUrl}/operator/rules`, { token });
  expect(newest).toMatchObject({
    version: 1,
    active_from: [expect.any(String)],
    rules: {
      uptime: { amount: '1' },
      traffic: [{ category: '*', amount: '2' }],
      referral: [{ percent: '10', uptime_hours: 24, distinct_addresses: 1 }],
    },
  });
  await closeWithoutErrors(window);
});
