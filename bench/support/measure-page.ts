/** Times a page as its reader meets it. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';

const SLOWER = 4;
const LOOK_EVERY_MS = 20;
const TIMEOUT_MS = 30_000;

/**
 * Notes when the button that one came for is there, has been painted, and the page is free to
 * answer.
 */
const WATCH = `{
  const look = () => {
    if (!document.querySelector('button[type=submit]')) return requestAnimationFrame(look);
    requestAnimationFrame(() => setTimeout(() => { window.interactiveAt = performance.now(); }, 0));
  };
  requestAnimationFrame(look);
}`;

/**
 * Milliseconds from the beginning of the navigation until the page can be used, with an empty cache
 * and a slow processor.
 */
export async function measureInteractive(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.addInitScript({ content: WATCH });
  await page.goto(url);
  const time = await untilInteractive(page);
  await context.close();
  return time;
}

/** When the page could be used. The policy of a page allows no wait within it. */
async function untilInteractive(page: Page): Promise<number> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (Date.now() < deadline) {
    const time = Number(await page.evaluate('window.interactiveAt'));
    if (!Number.isNaN(time)) return time;
    await wait(LOOK_EVERY_MS);
  }
  throw new Error(`${page.url()} did not become interactive`);
}

/** Kilobytes of script that were asked for before the page could be used. */
export async function measureFirstScript(browser: Browser, url: string): Promise<number> {
  const page = await browser.newPage();
  await page.addInitScript({ content: WATCH });
  await page.goto(url);
  await untilInteractive(page);
  const bytes = await page.evaluate(
    "performance.getEntriesByType('resource').filter((entry) => " +
      '/\\.js$/.test(entry.name) && entry.startTime < window.interactiveAt)' +
      '.reduce((sum, entry) => sum + entry.encodedBodySize, 0)',
  );
  await page.close();
  return Number(bytes) / 1000;
}

/** Kilobytes of script as they came over the wire. */
export async function measureScript(page: Page): Promise<number> {
  const bytes = await page.evaluate(
    "performance.getEntriesByType('resource').filter((entry) => " +
      '/\\.js$/.test(entry.name)).reduce((sum, entry) => sum + entry.encodedBodySize, 0)',
  );
  return Number(bytes) / 1000;
}

/**
 * Milliseconds of processor time that the page's main thread spends until it can be used, not
 * slowed: the same however busy the machine is.
 */
export async function measureWork(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(url);
  await page.waitForSelector('button[type=submit]');
  const { metrics } = await session.send('Performance.getMetrics');
  await context.close();
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
}
