/** On a phone the title of a sheet stays in sight, above its content and not over it. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { openPage } from './support/pages.ts';
import { seedAccount } from './support/seed-account.ts';

const stage = startBrowserFixture();
let page: Page;

beforeAll(async () => {
  const { person } = await seedAccount(stage.service);
  const options = { viewport: { width: 390, height: 844 }, hasTouch: true };
  ({ page } = await stage.openAs(person, options));
});

/** Where the title ends and what follows it begins, in a sheet that is not scrolled. */
function measure(dialog: Element): { readonly end: number; readonly begin: number } {
  dialog.scrollTop = 0;
  const [head, content] = dialog.children;
  return {
    end: head?.getBoundingClientRect().bottom ?? Number.NaN,
    begin: content?.getBoundingClientRect().top ?? Number.NaN,
  };
}

test.each([
  ['/devices', 'main li button'],
  ['/wallets?wallet=bonus', 'main button[aria-label="Export"]'],
  ['/wallets?wallet=bonus', 'main [aria-label="Activity"] [data-entry]'],
  ['/security', 'main section:last-of-type button'],
])('what %s opens', async (path, opener) => {
  await openPage(page, path);
  await page.locator(opener).first().click();
  const sheet = page.locator('dialog[open]');
  await sheet.waitFor();
  const { end, begin } = await sheet.evaluate(measure);
  expect(begin).toBeGreaterThanOrEqual(end);
});
