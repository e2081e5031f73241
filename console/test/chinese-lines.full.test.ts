/**
 * Chinese headings break after marks, not within words; running text fills its lines, and no mark
 * begins one.
 */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { closeWithoutErrors, startBrowserFixture } from './support/browser-fixture.ts';
import { CLOSING_MARK, findLineEnds, SIGN, widenSigns } from './support/cjk-line-breaks.ts';
import { openPage } from './support/pages.ts';
import { signUpByApi } from './support/seed.ts';
import { newPerson } from './support/user-flows.ts';
import type { WatchedWindow } from './support/watched-page.ts';

const stage = startBrowserFixture();
let window: WatchedWindow;
let page: Page;

beforeAll(async () => {
  const person = newPerson();
  await signUpByApi(stage.service.baseUrl, person);
  window = await stage.openAs(person);
  page = window.page;
  await page.evaluate(() => localStorage.setItem('edge-language', 'zh'));
  return () => closeWithoutErrors(window);
});

test.each([320, 390])('second factors on a phone of %i pixels', async (width) => {
  await page.setViewportSize({ width, height: 844 });
  await openPage(page, '/security');
  await widenSigns(page, 'main :is(h2, h3, li)');
  const rows = page.locator('main section', { hasText: '通行密钥' }).last();
  await rows.getByText('身份验证器应用').waitFor();
  expect(await findLineEnds(page.locator('main :is(h2, h3)'), SIGN, SIGN)).toEqual([]);
  expect(await findLineEnds(rows, SIGN, SIGN)).not.toEqual([]);
  expect(await findLineEnds(rows, /./, CLOSING_MARK)).toEqual([]);
});
