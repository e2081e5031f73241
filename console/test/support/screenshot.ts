/** Takes pictures of pages. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { CATALOGUES } from './catalogues.ts';
import { waitUntilLoaded } from './pages.ts';

export const FOLDER = new URL('../../../artifacts/screenshots/', import.meta.url).pathname;
export const SIZES = {
  narrow: { width: 390, height: 844 },
  wide: { width: 1280, height: 860 },
} as const;
export const THEMES = ['light', 'dark'] as const;
export const LANGUAGES = [...CATALOGUES.keys()];

export interface Look {
  readonly size: keyof typeof SIZES;
  readonly theme: (typeof THEMES)[number];
  readonly language: string;
}

/** Selects pictures by the pattern on the command line; all without one. */
const WANTED = new RegExp(process.argv[2] ?? '');

export const isEveryPictureWanted = WANTED.source === '(?:)';

export function isWanted(name: string): boolean {
  return WANTED.test(name);
}

export function suffixOf({ size, theme, language }: Look): string {
  return `${size}-${theme}-${language}`;
}

/** Chooses the language for the next page. */
export async function setLanguage(page: Page, language: Look['language']): Promise<void> {
  await page.evaluate((chosen) => localStorage.setItem('edge-language', chosen), language);
}

const HEIGHT_MAX = 2600;

/**
 * The whole page on one tall screen, with bars at its end; only the beginning of a long list; for
 * an open sheet, the screen.
 */
export async function screenshot(page: Page, name: string): Promise<void> {
  const screen = page.viewportSize() ?? SIZES.narrow;
  await page.evaluate(() => document.fonts.ready);
  if ((await page.locator('dialog[open]').count()) === 0) {
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.setViewportSize({
      width: screen.width,
      height: Math.min(HEIGHT_MAX, Math.max(height, screen.height)),
    });
  }
  // Bars and sheets move into place, and rows of the taller screen load.
  await page.waitForTimeout(350);
  await page.waitForFunction(() => document.querySelector('main [class*=skeleton]') === null);
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  await page.setViewportSize(screen);
}

export async function screenshotAll(
  page: Page,
  pages: Readonly<Record<string, string>>,
  suffix: string,
): Promise<void> {
  for (const [name, path] of Object.entries(pages)) {
    if (!isWanted(`${name}-${suffix}`)) continue;
    await page.goto(path);
    await page.locator('main h1').first().waitFor();
    await waitUntilLoaded(page);
    await screenshot(page, `${name}-${suffix}`);
  }
}
