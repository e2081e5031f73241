/** The pages of the console, for tests that visit all of them. */
import type { Page } from 'playwright-core';
import { CATALOGUES } from './catalogues.ts';

export const PAGES = [
  '/',
  '/wallets',
  '/wallets?wallet=bonus',
  '/wallets/convert',
  '/wallets/withdraw',
  '/deposits',
  '/devices',
  '/devices/history',
  '/devices/add',
  '/people',
  '/security',
  '/operator',
];

const LOADING = [...CATALOGUES.values()]
  .map(({ common }) => `[aria-label='${common.loading}']`)
  .join();

/** Waits until no part of the page is loading. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.waitForFunction((loading) => document.querySelector(loading) === null, LOADING);
}

/** Opens a page, and waits until it is complete. */
export async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator('main h1').first().waitFor();
  await waitUntilLoaded(page);
}
