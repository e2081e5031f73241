/**
 * A new user, from the first page to a device that is online: counts taps and fields, and prints
 * the time.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCode } from '../../service/test/demo/http-client.ts';
import { startTerminal } from '../../service/test/support/terminal-process.ts';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { newPerson } from './support/user-flows.ts';

const STEPS_MAX = 10;

const stage = startBrowserFixture();
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'edge-first-minutes-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Taps and types, one action after the other, and counts both. */
function createHand(page: Page) {
  const begun_ms = performance.now();
  const steps: string[] = [];
  const note = (step: string) =>
    steps.push(`${((performance.now() - begun_ms) / 1000).toFixed(1)} s: ${step}`);
  return {
    steps,
    note,
    async tap(target: Locator, what: string): Promise<void> {
      await target.tap();
      note(`tap ${what}`);
    },
    /** Types into the focused field, or taps it first: a field counts once. */
    async fill(target: Locator, text: string): Promise<void> {
      // Read before typing: a form without a button is sent with the last character.
      const name = await target.getAttribute('name');
      if (!(await target.evaluate((element) => element === document.activeElement)))
        await target.tap();
      await page.keyboard.type(text);
      note(`field ${name}`);
    },
  };
}

test('from signing up to an online device: ten taps or fields at most', async () => {
  const { page, consoleErrors } = await stage.open({ hasTouch: true });
  const hand = createHand(page);
  const person = newPerson();
  await page.goto('/');
  await hand.tap(page.getByRole('button', { name: 'Create account' }), 'create account');
  await hand.fill(page.getByLabel('Email'), person.email);
  await hand.fill(page.getByLabel('Nickname'), person.nickname);
  await hand.fill(page.getByLabel('Password', { exact: true }), person.password);
  await hand.tap(page.getByRole('button', { name: 'Create account' }), 'send');
  await page.getByRole('heading', { name: 'Confirm your email' }).waitFor();
  await hand.fill(page.getByLabel('Code'), await readCode(stage.service.baseUrl, person.email));
  await hand.tap(page.getByRole('link', { name: 'Add a device' }), 'add a device');
  await hand.tap(page.getByText('Linux and macOS', { exact: true }), 'a command');

  const state = ['--state', join(folder, 'state.json')];
  const shown = (await page.getByText(/edge-terminal\.mjs run --service/).textContent()) ?? '';
  const terminal = startTerminal([
    'run',
    '--sign-in',
    '--service',
    /--service (\S+)/.exec(shown)?.[1] ?? '',
    ...state,
  ]);
  const [, userCode = ''] = await terminal.waitFor(/enter the code {2}(\S+)/);
  await hand.fill(page.getByLabel('Device code'), userCode);
  await hand.tap(page.getByRole('button', { name: 'Allow' }), 'allow');
  await page.getByRole('status').getByText('Online').waitFor();
  const count = hand.steps.length;
  hand.note('online');
  await terminal.end();
  console.log(
    `from the first page to a device online: ${count} taps or fields\n${hand.steps.join('\n')}`,
  );
  expect(count).toBeLessThanOrEqual(STEPS_MAX);
  expect(consoleErrors).toEqual([]);
});
