/** For a reader who has set letters of twice the usual size: every page fits a phone. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { furnish } from './support/furnish.ts';
import { openPage, PAGES } from './support/pages.ts';
import { setStage } from './support/stage.ts';
import { findOverflow } from './support/window.ts';

const stage = setStage({}, ['--blink-settings=defaultFontSize=32']);
let page: Page;

beforeAll(async () => {
  ({ page } = await stage.openAs((await furnish(stage.service)).person));
}, 120_000);

test.each(PAGES)(
  '%s',
  async (path) => {
    await openPage(page, path);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px');
    expect(await findOverflow(page)).toEqual([]);
  },
  30_000,
);
