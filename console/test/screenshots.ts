/**
 * `npm run screenshots`: every page, narrow and wide, light and dark, in English and Chinese, with a furnished account,
 * in `artifacts/screenshots`. Look at them.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../service/test/support/browser.ts';
import { startService } from '../../service/test/support/service-process.ts';
import { lendChineseFont } from './support/chinese-font.ts';
import { furnish } from './support/furnish.ts';
import { signIn } from './support/journey.ts';
import { beat } from './support/seed.ts';
import { openWindow } from './support/window.ts';

const FOLDER = new URL('../../artifacts/screenshots/', import.meta.url).pathname;
const PAGES = {
  home: '/',
  wallets: '/wallets',
  rewards: '/wallets?wallet=bonus',
  convert: '/wallets/convert',
  deposits: '/deposits',
  devices: '/devices',
  'add-device': '/devices/add',
  community: '/people',
  security: '/security',
  operator: '/operator',
} as const;
const SIZES = { narrow: { width: 390, height: 844 }, wide: { width: 1280, height: 860 } } as const;
const THEMES = ['light', 'dark'] as const;
const LANGUAGES = { en: 'en-GB', zh: 'zh-CN' } as const;

const HEIGHT_MAX = 2600;

/** The whole page, but of a long list only the beginning; of an open sheet, the screen. */
async function heightOf(page: Page): Promise<number> {
  const screen = page.viewportSize()?.height ?? 0;
  if (await page.locator('dialog[open]').count()) return screen;
  return Math.min(HEIGHT_MAX, await page.evaluate(() => document.documentElement.scrollHeight));
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  // Bars and sheets move into place.
  await page.waitForTimeout(350);
  await page.screenshot({
    path: join(FOLDER, `${name}.png`),
    fullPage: true,
    clip: { x: 0, y: 0, width: page.viewportSize()?.width ?? 0, height: await heightOf(page) },
  });
}

async function shootSignIn(page: Page, suffix: string): Promise<void> {
  await page.goto('/');
  await page.locator('form h1, form').first().waitFor();
  await shoot(page, `sign-in-${suffix}`);
  await page.goto('/?ref=ABCDEFGH');
  await page.locator('input[name=referral_code]').waitFor();
  await shoot(page, `register-${suffix}`);
}

async function shootPages(page: Page, suffix: string): Promise<void> {
  for (const [name, path] of Object.entries(PAGES)) {
    await page.goto(path);
    await page.locator('main h1').first().waitFor();
    await page.waitForFunction(() => document.querySelector('[role=status][aria-label=Loading], [role=status][aria-label=加载中]') === null);
    await shoot(page, `${name}-${suffix}`);
  }
  await page.goto(PAGES.devices);
  await page.locator('main li button').first().click();
  await shoot(page, `device-${suffix}`);
  await page.goto(PAGES.rewards);
  await page.locator('main li button').first().click();
  await shoot(page, `bill-${suffix}`);
}

async function run(browser: Browser): Promise<number> {
  const service = await startService();
  let complaintsTotal = 0;
  try {
    const { person, devices } = await furnish(service);
    const beats = setInterval(() => void Promise.allSettled(devices.map((device) => beat(service.baseUrl, device))), 20_000);
    beats.unref();
    for (const [size, viewport] of Object.entries(SIZES)) {
      for (const colorScheme of THEMES) {
        const { context, page, complaints } = await openWindow(browser, service.baseUrl, { viewport, colorScheme });
        await lendChineseFont(page);
        await shootSignIn(page, `${size}-${colorScheme}-en`);
        await page.goto('/');
        await signIn(page, service.baseUrl, person);
        await page.getByRole('heading', { name: 'Earned today' }).waitFor();
        for (const language of Object.keys(LANGUAGES)) {
          await page.evaluate((chosen) => localStorage.setItem('edge-language', chosen), language);
          await shootPages(page, `${size}-${colorScheme}-${language}`);
        }
        for (const complaint of complaints) console.error(`${size} ${colorScheme}: ${complaint}`);
        complaintsTotal += complaints.length;
        await context.close();
      }
    }
  } finally {
    await service.dispose();
  }
  return complaintsTotal;
}

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const browser = await openBrowser();
try {
  if ((await run(browser.browser)) > 0) process.exitCode = 1;
} finally {
  await browser.close();
}
console.log(`The pictures are in ${FOLDER}`);
