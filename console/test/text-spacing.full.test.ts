/** Wider letters, words and lines (WCAG 1.4.12): nothing is lost on the narrowest phone. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { CATALOGUES } from './support/catalogues.ts';
import { openPage, PAGES, pathOf } from './support/pages.ts';
import { openOperator, setPrice } from './support/seed.ts';
import { type SeededAccount, seedAccount } from './support/seed-account.ts';
import { findOverflow, findOverlaps } from './support/watched-page.ts';

const stage = startBrowserFixture();
let seeded: SeededAccount;
let page: Page;

const SPACING = `* {
  letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important;
  line-height: 1.5 !important;
}
p { margin-bottom: 2em !important; }`;

/** Responses of the service, and one bill with a long name. */
async function convert(): Promise<void> {
  await page.route('**/bills?*', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as {
      records: { reward_type?: string; business_id: string }[];
    };
    const records = body.records.map(({ reward_type: rewardType, ...bill }, at) =>
      at === 0 ? { ...bill, business_id: 'conversion_out' } : { ...bill, reward_type: rewardType },
    );
    return route.fulfill({ response, json: { ...body, records } });
  });
}

beforeAll(async () => {
  seeded = await seedAccount(stage.service);
  await setPrice(await openOperator(stage.service), 'EDGE', '0.1825');
  page = (await stage.openAs(seeded.person, { viewport: { width: 320, height: 844 } })).page;
  await convert();
});

async function expectReadable(): Promise<void> {
  await expect.poll(() => findOverlaps(page)).toEqual([]);
  expect(await findOverflow(page)).toEqual([]);
}

describe.each([...CATALOGUES])('in %s', (language, { shell }) => {
  test.each(PAGES)('%s', async (path) => {
    await page.evaluate((chosen) => localStorage.setItem('edge-language', chosen), language);
    await openPage(page, pathOf(path, seeded));
    await page.evaluate((css) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      document.adoptedStyleSheets = [sheet];
    }, SPACING);
    await expectReadable();
  });

  test.each([320, 390])(
    'a long name of a bill does not overlap its amount at %i pixels',
    async (width) => {
      await page.setViewportSize({ width, height: 844 });
      await openPage(page, '/wallets?wallet=bonus');
      await page.getByText(shell.business.conversion_out).first().waitFor();
      await expectReadable();
      await page.setViewportSize({ width: 320, height: 844 });
    },
  );
});

test('both balances of every currency are complete on the narrowest phone', async () => {
  await page.evaluate(() => localStorage.setItem('edge-language', 'en'));
  await openPage(page, '/');
  const balances = page
    .locator('main section')
    .filter({ has: page.getByRole('heading', { name: 'Balances' }) });
  await balances.getByRole('definition').first().waitFor();
  expect(await balances.getByRole('definition').count()).toBe(6);
  const frames = balances.locator('ul, dl, dd');
  expect(
    await frames.evaluateAll((all) =>
      all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
    ),
  ).toEqual(Array(await frames.count()).fill(0));
});
