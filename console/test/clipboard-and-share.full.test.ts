/** Copying, also where the browser refuses it, and sharing from a phone. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { waitUntilLoaded } from './support/pages.ts';
import { seedAccount } from './support/seed-account.ts';
import { newPerson, signUpFromStart } from './support/user-flows.ts';
import { findAccessibilityProblems, findOverflow } from './support/watched-page.ts';

const stage = startBrowserFixture();

/** Records what is passed to the share dialog of the system, which a headless browser lacks. */
function keepShared(): void {
  const shared: ShareData[] = [];
  Object.assign(window, { shared });
  Object.assign(navigator, {
    share: async (data: ShareData) => {
      shared.push(data);
    },
  });
}

/** The command that the page shows, a line each. */
async function commandOf(page: Page): Promise<string> {
  const command = (await page.locator('pre span').allTextContents()).join('\n');
  expect(command).toMatch(/ &&\nnode edge-terminal\.mjs run --service /);
  return command;
}

test('a command is copied, and a message appears where copying is not possible', async () => {
  const { page, context, consoleErrors } = await stage.open();
  await signUpFromStart(page, stage.service.baseUrl, newPerson());
  await page.getByRole('link', { name: 'Add a device' }).click();
  await page.getByRole('radio', { name: 'Linux and macOS' }).check();
  const copy = page.getByRole('button', { name: 'Copy command' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await copy.click();
  await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await commandOf(page));
  await copy.waitFor();
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await copy.click();
  await page.getByRole('button', { name: 'Not copied: please select it' }).waitFor();
  await copy.waitFor();
  // A device with a mouse is the computer on which the command is to be run.
  expect(await page.getByRole('button', { name: 'Send to computer' }).count()).toBe(0);
  expect(consoleErrors).toEqual([]);
});

test('a phone shares the command', async () => {
  const { page, consoleErrors } = await stage.open({ hasTouch: true, isMobile: true });
  await page.addInitScript(keepShared);
  await signUpFromStart(page, stage.service.baseUrl, newPerson());
  await page.getByRole('link', { name: 'Add a device' }).click();
  await page.getByRole('radio', { name: 'Linux and macOS' }).check();
  await page.getByRole('button', { name: 'Send to computer' }).tap();
  const command = await commandOf(page);
  expect(await page.evaluate(() => (window as unknown as { shared: unknown }).shared)).toEqual([
    { text: command },
  ]);
  expect(consoleErrors).toEqual([]);
});

test('a phone sends the page of the extension instead of loading it', async () => {
  const { page, consoleErrors } = await stage.open({ hasTouch: true, isMobile: true });
  await page.addInitScript(keepShared);
  await signUpFromStart(page, stage.service.baseUrl, newPerson());
  await page.getByRole('link', { name: 'Add a device' }).click();
  await page.getByRole('radio', { name: 'Browser extension' }).check();
  await page.getByRole('button', { name: 'Send to computer' }).tap();
  expect(await page.evaluate(() => (window as unknown as { shared: unknown }).shared)).toEqual([
    { url: `${stage.service.baseUrl}/devices/add` },
  ]);
  expect(await page.getByRole('link', { name: 'Download' }).count()).toBe(0);
  expect(await findOverflow(page)).toEqual([]);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  expect(consoleErrors).toEqual([]);
});

test('a table is saved once, although the button is pressed again while it loads', async () => {
  const { page, consoleErrors } = await stage.openAs((await seedAccount(stage.service)).person);
  await page.getByRole('link', { name: 'Community' }).click();
  await page.getByRole('heading', { level: 1, name: 'Community' }).waitFor();
  // The figures above the button move it when they load, perhaps during the click.
  await waitUntilLoaded(page);
  const asked: string[] = [];
  const answer = Promise.withResolvers<void>();
  await page.route('**/community/members/export*', async (route) => {
    asked.push(route.request().url());
    await answer.promise;
    await route.continue();
  });
  const button = page.getByRole('button', { name: 'Export' });
  await button.dblclick();
  await expect.poll(() => button.getAttribute('aria-busy')).toBe('true');
  const saved = page.waitForEvent('download');
  answer.resolve();
  expect((await saved).suggestedFilename()).toBe('community.csv');
  await expect.poll(() => button.getAttribute('aria-busy')).toBe(null);
  expect(asked).toHaveLength(1);
  expect(consoleErrors).toEqual([]);
});
