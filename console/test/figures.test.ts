/** Figures as they are read: amounts under each other, a day picked by a finger. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type Furnished, furnish } from './support/furnish.ts';
import { closeCalmly, setStage } from './support/stage.ts';
import type { WatchedWindow } from './support/window.ts';

const stage = setStage();
let furnished: Furnished;
let window: WatchedWindow;
let page: Page;

beforeAll(async () => {
  furnished = await furnish(stage.service);
  window = await stage.openAs(furnished.person, { hasTouch: true });
  page = window.page;
  return () => closeCalmly(window);
}, 120_000);

test('a tap on the chart picks a day, and it stays', async () => {
  const chart = page.getByRole('figure');
  await chart.getByText('Sum of these days').waitFor();
  const box = await page.getByRole('slider', { name: 'Earnings by day' }).boundingBox();
  if (!box) throw new Error('the chart is not on the page');
  // The first of thirty days, then the last, which a slider would have stood at.
  for (const at of [0.5 / 30, 29.5 / 30]) {
    await page.touchscreen.tap(box.x + box.width * at, box.y + box.height / 2);
    const day = new Date(Date.now() - Math.round((29.5 / 30 - at) * 30) * 86_400_000);
    await chart.getByText(new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(day), { exact: true }).waitFor();
    expect(await chart.getByText('Sum of these days').count()).toBe(0);
  }
}, 30_000);

/** Where the decimal points of a list stand, from the left. */
function findPoints(list: Element): number[] {
  const texts = document.createTreeWalker(list, NodeFilter.SHOW_TEXT);
  const points: number[] = [];
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    if (text.textContent !== '.') continue;
    const range = document.createRange();
    range.selectNode(text);
    points.push(range.getBoundingClientRect().left);
  }
  return points;
}

test.each([390, 1280])(
  'on a screen of %i pixels the points of a list of bills stand under each other',
  async (width) => {
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/wallets?wallet=bonus');
    const bills = page.getByRole('list', { name: 'Bills' });
    // Whole numbers, halves and amounts with all decimals stand among each other.
    await bills.getByText('+12').first().waitFor();
    await bills.getByText('416666666667').first().waitFor();
    const points = await bills.evaluate(findPoints);
    expect(points.length).toBeGreaterThan(5);
    expect(Math.max(...points) - Math.min(...points)).toBeLessThan(0.5);
  },
  30_000,
);
