/** Figures as they are read: amounts under each other, a day picked by a finger. */
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { closeWithoutErrors, startBrowserFixture } from './support/browser-fixture.ts';
import { buyPackage, openOperator } from './support/seed.ts';
import { type Furnished, seedAccount } from './support/seed-account.ts';
import {
  findAccessibilityProblems,
  findOverflow,
  type WatchedWindow,
} from './support/watched-page.ts';

const stage = startBrowserFixture();
let furnished: Furnished;
let window: WatchedWindow;
let page: Page;

beforeAll(async () => {
  furnished = await seedAccount(stage.service);
  await buyPackage(
    await openOperator(stage.service),
    furnished.friends[0]?.userId ?? 0,
    '0.123456789012345678',
  );
  window = await stage.openAs(furnished.person, { hasTouch: true });
  page = window.page;
  return () => closeWithoutErrors(window);
});

test('a tap on the chart picks a day, and it stays', async () => {
  const chart = page.getByRole('figure');
  await chart.getByText('Sum of these days').waitFor();
  const box = await page.getByRole('slider', { name: 'Earnings by day' }).boundingBox();
  if (!box) throw new Error('the chart is not on the page');
  // The first of thirty days, then the last, which a slider would have stood at.
  for (const at of [0.5 / 30, 29.5 / 30]) {
    await page.touchscreen.tap(box.x + box.width * at, box.y + box.height / 2);
    const day = new Date(Date.now() - Math.round((29.5 / 30 - at) * 30) * 86_400_000);
    await chart
      .getByText(
        new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(day),
        { exact: true },
      )
      .waitFor();
    expect(await chart.getByText('Sum of these days').count()).toBe(0);
  }
});

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

/**
 * How far the currencies of a list stand from their numbers; where far decimals are below, from the
 * others.
 */
function findGaps(list: Element): number[] {
  return [...list.querySelectorAll('[data-column]')].map((amount) => {
    const [figure, currency] = [
      amount.querySelector('[class*=near]'),
      amount.querySelector('[class*=currency]'),
    ];
    const tail = amount.querySelector('[class*=tail]')?.getBoundingClientRect();
    const near = figure?.getBoundingClientRect();
    if (!near || !currency) return Number.POSITIVE_INFINITY;
    const isBehind =
      tail !== undefined && tail.top < near.bottom - 4 && tail.left >= near.right - 1;
    return currency.getBoundingClientRect().left - (isBehind ? tail.right : near.right);
  });
}

function spread(points: readonly number[]): number {
  return Math.max(...points) - Math.min(...points);
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
    // Of the same moment: the next page of them comes by itself.
    const [points, gaps] = await Promise.all([
      bills.evaluate(findPoints),
      bills.evaluate(findGaps),
    ]);
    expect(points.length).toBeGreaterThan(5);
    expect(spread(points)).toBeLessThan(0.5);
    // A number and its currency are one thing: the room for decimals is behind both.
    expect(gaps.length).toBe(points.length);
    for (const gap of gaps) expect(gap).toBeLessThan(8);
    // What stands below a number goes on from it, and has no currency that would make it a number
    // of its own.
    const tail = await bills
      .getByText('416666666667')
      .first()
      .evaluate((element) => getComputedStyle(element, '::before').content);
    expect(tail.startsWith('"…"')).toBe(width < 480);
    // On two lines as well it is told as one number.
    expect(await bills.ariaSnapshot()).toMatch(/\d\.\d{6}416666666667/);
  },
);

test.each([390, 1280])(
  'on a screen of %i pixels the points of members and levels stand under each other',
  async (width) => {
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/people');
    const members = page.getByRole('list', { name: 'Members' });
    await members.getByText('789012345678').first().waitFor();
    const points = await members.evaluate(findPoints);
    // One's own and one's team's, each in its column where there are columns.
    const columns =
      width < 1200
        ? [points]
        : [points.filter((_, at) => at % 2 === 0), points.filter((_, at) => at % 2 === 1)];
    for (const column of columns) {
      expect(column.length).toBeGreaterThan(2);
      expect(spread(column)).toBeLessThan(0.5);
    }
    expect(await findOverflow(page)).toEqual([]);
    expect(await findAccessibilityProblems(page)).toEqual([]);
  },
);

test('members have columns on a wide screen, and stay what they are on a narrow one', async () => {
  await page.setViewportSize({ width: 1280, height: 844 });
  await page.goto('/people');
  const [first, second] = [
    page.locator('[aria-posinset="1"]'),
    page.locator('[aria-posinset="2"]'),
  ];
  await second.waitFor();
  const leftsOf = (row: Locator) =>
    row.evaluate((item) =>
      [...item.querySelectorAll('time, dd, button')].map(
        (part) => part.getBoundingClientRect().left,
      ),
    );
  expect(await leftsOf(first)).toEqual(await leftsOf(second));
  expect((await first.boundingBox())?.height).toBeLessThan(80);
  await first.getByRole('button', { name: 'Add a note' }).click();
  await first.getByRole('textbox').fill('kept');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(async () => (await first.boundingBox())?.height).toBeGreaterThan(100);
  expect(await first.getByRole('textbox').inputValue()).toBe('kept');
});
