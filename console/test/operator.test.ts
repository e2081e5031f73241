/** The operator pages: for people whom the command line made operators, right after a strong sign-in. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, type TestBrowser } from '../../service/test/support/browser.ts';
import { runCommand, type ServiceProcess, startService } from '../../service/test/support/service-process.ts';
import { newPerson, signUp } from './support/journey.ts';
import { addVirtualAuthenticator, findAccessibilityProblems, openWindow } from './support/window.ts';

let service: ServiceProcess;
let browser: TestBrowser;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), openBrowser()]);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await service?.dispose();
});

test('an operator confirms who they are, and sees people, chains, ledger, rules and webhooks', async () => {
  const { page, complaints } = await openWindow(browser.browser, service.baseUrl);
  await addVirtualAuthenticator(page);
  const person = newPerson('Hopper');
  await page.goto('/');
  await page.getByRole('button', { name: 'Create account' }).click();
  await signUp(page, service.baseUrl, person);
  await page.getByRole('link', { name: 'Security' }).click();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('button', { name: 'Create passkey' }).click();
  await page.getByRole('button', { name: 'I have saved them' }).click();

  await page.goto('/operator');
  await page.getByText('These pages are for operators').waitFor();
  await service.stop();
  expect((await runCommand(['operator', 'grant', person.email], service.env)).stdout).toContain('may act as an operator');
  await service.start();
  await page.goto('/operator');
  await page.getByRole('button', { name: 'Confirm who you are' }).click();
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Use a passkey' }).click();

  await page.getByText('1 person', { exact: true }).waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.getByText('Chains', { exact: true }).click();
  await page.getByText('No network is configured').waitFor();
  await page.getByText('Ledger', { exact: true }).click();
  const head = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Sign and save now' }).click();
  expect((await head).suggestedFilename()).toBe('ledger-head.json');
  await page.getByText('Rules', { exact: true }).click();
  await page.getByRole('button', { name: 'Draft rules' }).click();
  await page.getByRole('textbox', { name: 'Rules' }).fill('{"uptime":{"amount":"2.5"}}');
  await page.getByRole('button', { name: 'Save the draft' }).click();
  await page.getByText('Draft', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Dry run' }).first().click();
  await page.getByText('The last 24 hours').waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByText('Webhooks', { exact: true }).click();
  await page.getByText('No webhooks').waitFor();
  expect(complaints).toEqual([]);
}, 90_000);
