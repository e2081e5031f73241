/**
 * A refused note shows the reason within its row, without overlapping the next member, in both
 * languages.
 */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { openPage } from './support/pages.ts';
import { signUpByApi } from './support/seed.ts';
import { newPerson } from './support/user-flows.ts';
import {
  findAccessibilityProblems,
  findOverflow,
  findOverlaps,
  resize,
} from './support/watched-page.ts';

const stage = startBrowserFixture();
let page: Page;

beforeAll(async () => {
  const { baseUrl } = stage.service;
  const person = newPerson();
  const { referralCode } = await signUpByApi(baseUrl, person);
  for (const nickname of ['Grace', 'Linus', 'Margaret'])
    await signUpByApi(baseUrl, newPerson(nickname), referralCode);
  page = (await stage.openAs(person)).page;
});

async function expectRoom(): Promise<void> {
  const [own, next] = [page.locator('[aria-posinset="1"]'), page.locator('[aria-posinset="2"]')];
  await expect.poll(() => findOverlaps(page)).toEqual([]);
  const [message, below] = [await own.locator('form p').boundingBox(), await next.boundingBox()];
  expect((message?.y ?? Number.NaN) + (message?.height ?? 0)).toBeLessThanOrEqual(
    below?.y ?? Number.NaN,
  );
  expect(await findOverflow(page)).toEqual([]);
}

const LANGUAGES = [
  ['en', 'Add a note', 'At most 20 characters.', 'The service cannot be reached'],
  ['zh', '添加备注', '最多 20 个字符。', '无法连接'],
] as const;

const WIDTHS = [320, 360, 390, 768, 1280] as const;

// The row is refused once for each reason, and then measured at every width, because loading takes
// most of the time.
test.each(LANGUAGES)('in %s, at every width', async (language, add, tooLong, unreachable) => {
  await page.evaluate((chosen) => localStorage.setItem('edge-language', chosen), language);
  await openPage(page, '/people');
  const row = page.locator('[aria-posinset="1"]');
  const rowHeight = async (): Promise<number> => Math.round((await row.boundingBox())?.height ?? 0);
  await row.waitFor();
  const atEachWidth = async (look: (width: number) => Promise<unknown>): Promise<void> => {
    for (const width of WIDTHS) {
      await resize(page, width);
      await look(width);
    }
  };
  const heights = new Map<number, number>();
  await atEachWidth(async (width) => heights.set(width, await rowHeight()));
  await row.getByRole('button', { name: add }).click();
  await row.getByRole('textbox').fill('x'.repeat(21));
  await page.keyboard.press('Enter');
  await row.locator('form p').getByText(tooLong).waitFor();
  await atEachWidth(async () => {
    await expectRoom();
    expect(await findAccessibilityProblems(page)).toEqual([]);
  });

  await page.route('**/members/note', (route) => route.abort());
  await row.getByRole('textbox').fill('x');
  await page.keyboard.press('Enter');
  await row.locator('form p').getByText(unreachable).waitFor();
  await atEachWidth(expectRoom);
  await page.unroute('**/members/note');

  // The space is released, except for the height that all rows need.
  await page.keyboard.press('Escape');
  await row.getByRole('button', { name: add }).waitFor();
  await atEachWidth((width) =>
    expect
      .poll(rowHeight, { message: `at ${width} pixels` })
      .toBeLessThanOrEqual((heights.get(width) ?? 0) + 1),
  );
});
