/** Operators draft rules in a form, see what it changes, try it, and activate it. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectOk } from '../../service/test/demo/http-client.ts';
import { closeWithoutErrors, startBrowserFixture } from './support/browser-fixture.ts';
import { openOperatorPages } from './support/operator-journey.ts';
import { type Operator, openOperator } from './support/seed.ts';
import { texts } from './support/texts.ts';
import {
  addVirtualAuthenticator,
  findAccessibilityProblems,
  findOverflow,
  untilNothingIsOpen,
  type WatchedWindow,
} from './support/watched-page.ts';

const stage = startBrowserFixture();
const { rules } = texts.operator;
const { form } = rules;
let operator: Operator;
let window: WatchedWindow;
let page: Page;

beforeAll(async () => {
  operator = await openOperator(stage.service);
  window = await stage.open({ viewport: { width: 1440, height: 900 } });
  page = window.page;
  await addVirtualAuthenticator(page);
  await openOperatorPages(page, stage.service);
  return () => closeWithoutErrors(window);
});

const sheet = () => page.getByRole('dialog', { name: rules.draft });
const save = () => sheet().getByRole('button', { name: rules.saveDraft }).click();

async function openDraft(): Promise<void> {
  await page.goto('/operator?view=rules');
  await page.getByRole('button', { name: rules.draft }).click();
  await sheet().waitFor();
}

async function readNewest(): Promise<object | undefined> {
  const [newest] = await expectOk<{ rules: object }[]>(`${operator.baseUrl}/operator/rules`, {
    token: operator.token,
  });
  return newest?.rules;
}

test('a draft names its mistakes beside the fields, and is saved exactly', async () => {
  await openDraft();
  await sheet().getByText(rules.noRulesYet).waitFor();
  await sheet().getByLabel(form.perHour).fill('-1');
  await sheet().getByRole('button', { name: form.addTraffic }).click();
  await sheet().getByLabel(form.perGb).fill('0.123456789012345678');
  await sheet().getByRole('button', { name: form.addLevel }).click();
  const referral = sheet().getByRole('group', { name: form.referral });
  await referral.getByLabel(form.percent).fill('10');
  await referral.getByLabel(form.uptimeHours).fill('a day');
  await save();
  for (const field of [sheet().getByLabel(form.perHour), referral.getByLabel(form.uptimeHours)])
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
  window.expectRefused('400 POST /operator/rules');
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await sheet().getByLabel(form.perHour).fill('0.5');
  await referral.getByLabel(form.uptimeHours).fill('24');
  await sheet().getByLabel(form.limit.devices_per_user).fill('100');
  await sheet().getByRole('row', { name: form.perHour }).getByText('0.5').waitFor();
  await save();
  await untilNothingIsOpen(page);
  expect(await readNewest()).toEqual({
    uptime: { amount: '0.5' },
    traffic: [{ category: '*', amount: '0.123456789012345678' }],
    referral: [{ percent: '10', uptime_hours: 24, distinct_addresses: 0 }],
    limits: { devices_per_user: 100 },
  });
});

test('the JSON is what the form says, and the other way round', async () => {
  await openDraft();
  await sheet().getByRole('button', { name: form.addCampaign }).click();
  const campaigns = sheet().getByRole('group', { name: form.campaigns });
  await campaigns.getByLabel(form.name).fill('Winter');
  await campaigns.getByLabel(form.percent).fill('5');
  await campaigns.getByLabel(form.from).fill('2027-12-01T00:00');
  await campaigns.getByLabel(form.before).fill('2028-01-01T00:00');
  await sheet().getByText(rules.views.json, { exact: true }).click();
  const text = sheet().getByRole('textbox', { name: rules.text });
  const written = JSON.parse(await text.inputValue());
  expect(written.campaigns).toEqual([
    {
      ...{ name: 'Winter', percent: '5' },
      ...{ from: '2027-12-01T00:00:00Z', before: '2028-01-01T00:00:00Z' },
    },
  ]);
  await text.fill(JSON.stringify({ ...written, nonsense: 1 }));
  await sheet().getByText(rules.views.fields, { exact: true }).click();
  await sheet().getByText(rules.notInForm).first().waitFor();
  await text.fill(JSON.stringify({ ...written, uptime: { amount: '0.75' } }));
  await sheet().getByText(rules.views.fields, { exact: true }).click();
  expect(await sheet().getByLabel(form.perHour).inputValue()).toBe('0.75');
  await campaigns.getByRole('button', { name: 'Remove campaign 1' }).click();
  await sheet().getByRole('row', { name: form.perHour }).getByText('0.75').waitFor();
  await save();
  await untilNothingIsOpen(page);
  expect(await readNewest()).toMatchObject({ uptime: { amount: '0.75' } });
});

test('a draft is changed in its place, and shown as the service keeps it', async () => {
  await page.getByText('0.75 EDGE for each hour online').waitFor();
  await page.getByRole('button', { name: 'Change version 2' }).click();
  const change = page.getByRole('dialog', { name: 'Change version 2' });
  await change.getByText(rules.noChanges.replace('{{version}}', '2')).waitFor();
  await change.getByLabel(form.limit.devices_per_user).fill('99');
  await change.getByRole('row', { name: form.limit.devices_per_user }).getByText('99').waitFor();
  await change.getByRole('button', { name: rules.saveDraft }).click();
  await untilNothingIsOpen(page);
  expect(await readNewest()).toMatchObject({ limits: { devices_per_user: 99 } });
  await page.getByRole('button', { name: 'Show version 2' }).click();
  const text = page.getByRole('dialog', { name: 'Version 2' }).getByRole('textbox');
  expect(JSON.parse(await text.inputValue())).toEqual(await readNewest());
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);
});

test('before it is activated a version says what it changes; all of it on a phone', async () => {
  await page.setViewportSize({ width: 320, height: 700 });
  await openDraft();
  expect(await findOverflow(page)).toEqual([]);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);
  await page.getByRole('button', { name: rules.dryRun }).first().click();
  await page.getByRole('dialog', { name: rules.dryRun }).waitFor();
  expect(await findOverflow(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);
  await page.getByRole('button', { name: rules.activate, exact: true }).first().click();
  const confirm = page.getByRole('dialog', { name: 'Activate version 2?' });
  await confirm.getByRole('row', { name: form.perHour }).getByText('0.75').waitFor();
  expect(await findOverflow(page)).toEqual([]);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await confirm.getByRole('button', { name: rules.activate, exact: true }).click();
  await untilNothingIsOpen(page);
  await page.getByText(rules.activeFrom, { exact: false }).waitFor();
});
