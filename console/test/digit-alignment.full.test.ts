/** Alignment of amounts, and selecting a day of the chart by touch. */
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { closeWithoutErrors, startBrowserFixture } from './support/browser-fixture.ts';
import { buyPackage, openOperator } from './support/seed.ts';
import { type SeededAccount, seedAccount } from './support/seed-account.ts';
import {
  findAccessibilityProblems,
  findOverflow,
  type WatchedWindow,
} from './support/watched-page.ts';

const stage = startBrowserFixture();
let seeded: SeededAccount;
let window: WatchedWindow;
let page: Page;

beforeAll(async () => {
  seeded = await seedAccount(stage.service);
  await buyPackage(
    await openOperator(stage.service),
    seeded.friends[0]?.userId ?? 0,
    '0.123456789012345678',
  );
  window = await stage.openAs(seeded.person, { hasTouch: true });
  page = window.page;
  return () => closeWithoutErrors(window);
});

test('a tap on the chart selects a day, which stays selected', async () => {
  const chart = page.getByRole('figure');
  await page.getByText('Total of the period').waitFor();
  const slider = page.getByRole('slider', { name: 'Earnings by day' });
  // The first steps stand above it.
  await slider.scrollIntoViewIfNeeded();
  const box = await slider.boundingBox();
  if (!box) throw new Error('the chart is not on the page');
  // The first of thirty days, then the last, which is the default position of a slider.
  for (const at of [0.5 / 30, 29.5 / 30]) {
    await page.touchscreen.tap(box.x + box.width * at, box.y + box.height / 2);
    const day = new Date(Date.now() - Math.round((29.5 / 30 - at) * 30) * 86_400_000);
    await chart
      .locator('strong', {
        hasText: new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(
          day,
        ),
      })
      .waitFor();
  }
});

/** Right edges of the amounts in a list, in pixels from the left; not of what they are worth. */
function findEnds(list: Element): number[] {
  return [...list.querySelectorAll('[class*=_figure_]')]
    .filter((figure) => figure.closest('[class*=_value_]') === null)
    .map((figure) => figure.getBoundingClientRect().right);
}

function spread(ends: readonly number[]): number {
  return Math.max(...ends) - Math.min(...ends);
}

test.each([390, 1280])(
  'on a screen of %i pixels the amounts of a list are aligned, and exact on request',
  async (width) => {
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/wallets?wallet=bonus');
    const list = page.getByRole('list', { name: 'Activity' });
    await list.getByText('+12').first().waitFor();
    const ends = await list.evaluate(findEnds);
    expect(ends.length).toBeGreaterThan(5);
    expect(spread(ends)).toBeLessThan(0.5);
    // Screen readers get every digit of an amount that is shown shortened.
    expect(await list.ariaSnapshot()).toMatch(/\d\.\d{6}416666666667/);
    expect(await list.getByText(/^\+\d+\.\d{2}$/).count()).toBeGreaterThan(1);
    await list.getByRole('button').getByText('416666666667').first().locator('..').click();
    const sheet = page.getByRole('dialog');
    await sheet
      .getByText(/416666666667/)
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
  },
);

test('a tap shows the exact amount in place, and a second tap the readable amount', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/people');
  const amount = page
    .getByRole('list', { name: 'Members' })
    .getByRole('button', { name: /^Exact amount: \d+\.123456789012345678$/ })
    .first();
  expect(await amount.textContent()).toMatch(/^\d+\.12(34)?$/);
  await amount.tap();
  expect(await amount.textContent()).toMatch(/^\d+\.123456789012345678$/);
  expect(await amount.getAttribute('aria-expanded')).toBe('true');
  await amount.tap();
  expect(await amount.textContent()).toMatch(/^\d+\.12(34)?$/);
});

test.each([390, 1280])(
  'on a screen of %i pixels the amounts of members are aligned within their column',
  async (width) => {
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/people');
    const members = page.getByRole('list', { name: 'Members' });
    await members
      .getByText(/^\d+\.12(34)?$/)
      .first()
      .waitFor();
    const ends = await members.evaluate(findEnds);
    // The amounts of the member and of the team, each in its own column where columns are shown.
    const columns =
      width < 1200
        ? [ends]
        : [ends.filter((_, at) => at % 2 === 0), ends.filter((_, at) => at % 2 === 1)];
    for (const column of columns) {
      expect(column.length).toBeGreaterThan(2);
      expect(spread(column)).toBeLessThan(0.5);
    }
    expect(await findOverflow(page)).toEqual([]);
    expect(await findAccessibilityProblems(page)).toEqual([]);
  },
);

test('members are columns on a wide screen, and a list on a narrow one', async () => {
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
