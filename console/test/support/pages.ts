/** The pages of the console, for tests that visit all of them. */
import type { Page } from 'playwright-core';
import type { SeededAccount } from './seed-account.ts';

/** `{node}` is the ID of a device that the visitor has: `pathOf` puts it in. */
export const PAGES = [
  '/',
  '/wallets',
  '/wallets?wallet=bonus',
  '/wallets/convert',
  '/wallets/withdraw',
  '/deposits',
  '/devices',
  '/devices/history',
  '/devices/history?node={node}',
  '/devices/add',
  '/people',
  '/security',
  '/notifications',
  '/operator',
];

/** The address of a page for the user of a fixture. */
export function pathOf(path: string, { devices: [device] }: SeededAccount): string {
  if (!device) throw new Error('the user has no device');
  return path.replace('{node}', device.nodeId);
}

/** Waits until no part of the page is loading. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.waitForFunction(
    () => document.querySelector('[role=status][aria-label], [class*=skeleton]') === null,
  );
}

/** Opens a page, and waits until it is complete. */
export async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator('main h1').first().waitFor();
  await waitUntilLoaded(page);
}

/** The texts of a page, one for each text node. */
export function readTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: string[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      texts.push(node.textContent?.trim() ?? '');
    return texts.filter((text) => text !== '');
  });
}
