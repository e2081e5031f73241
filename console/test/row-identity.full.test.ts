/** A row belongs to its member: its input and its focus move with it. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectOk } from '../../service/test/demo/http-client.ts';
import { closeWithoutErrors, startBrowserFixture } from './support/browser-fixture.ts';
import { type Account, signUpByApi } from './support/seed.ts';
import { newPerson, type Person } from './support/user-flows.ts';
import type { WatchedWindow } from './support/watched-page.ts';

/** More rows than are rendered. */
const FRIENDS = 22;

const stage = startBrowserFixture();
const person: Person = newPerson();
let account: Account;
let window: WatchedWindow;
let page: Page;

async function bring(nickname: string): Promise<void> {
  await signUpByApi(stage.service.baseUrl, newPerson(nickname), account.referralCode);
}

beforeAll(async () => {
  account = await signUpByApi(stage.service.baseUrl, person);
  await Promise.all(Array.from({ length: FRIENDS - 1 }, (_, at) => bring(`Friend${at}`)));
  await bring('Linus');
  window = await stage.openAs(person);
  page = window.page;
  return () => closeWithoutErrors(window);
});

test('an open note stays on its member when the list changes or scrolls', async () => {
  await page.goto('/people');
  await page.getByText(`${FRIENDS} members`, { exact: true }).waitFor();
  await page.getByRole('status').getByText('Live').waitFor({ state: 'attached' });
  const linus = page.getByRole('listitem').filter({ hasText: 'Linus' });
  await linus.getByRole('button', { name: 'Add a note' }).click();
  await page.keyboard.type('kernel ');

  await bring('Margaret');
  await page.getByRole('listitem').filter({ hasText: 'Margaret' }).waitFor();
  await page.keyboard.type('person');
  expect(await linus.getByLabel('Note on Linus').inputValue()).toBe('kernel person');
  expect(await page.getByRole('textbox', { name: /^Note on/ }).count()).toBe(1);

  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await page.locator(`[aria-posinset="${FRIENDS + 1}"]`).waitFor();
  // A row with the focus stays rendered, so that the focus is not lost.
  await page.keyboard.type('!');
  await page.keyboard.press('Backspace');
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  // Repeated, because the browser scrolls to typed text after a delay.
  await expect
    .poll(async () => {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      return linus.count();
    })
    .toBe(0);
  expect(await page.getByRole('textbox', { name: /^Note on/ }).count()).toBe(0);
  await page.evaluate(() => scrollTo(0, 0));
  await linus.getByLabel('Note on Linus').press('Enter');
  await linus.getByRole('button', { name: 'kernel person' }).waitFor();

  const { records } = await expectOk<{ records: { nickname: string; note: string }[] }>(
    `${stage.service.baseUrl}/community/members?current=1&size=20`,
    {
      token: account.accessToken,
    },
  );
  expect(records.filter(({ note }) => note !== '')).toMatchObject([
    { nickname: 'Linus', note: 'kernel person' },
  ]);
});

test('the keyboard reaches every row in order and never loses the focus', async () => {
  const place = (): Promise<number> =>
    page.evaluate(() =>
      Number(
        document.activeElement?.closest('[aria-posinset]')?.getAttribute('aria-posinset') ?? 0,
      ),
    );
  const press = async (key: string): Promise<number> => {
    await page.keyboard.press(key);
    return place();
  };
  await page.goto('/people');
  await page.getByRole('button', { name: 'Add a note' }).first().focus();
  const rows = Number(await page.locator('[aria-setsize]').first().getAttribute('aria-setsize'));
  const downwards: number[] = [];
  for (let row = 2; row <= rows; row++) downwards.push(await press('ArrowDown'));
  expect(downwards).toEqual(Array.from({ length: rows - 1 }, (_, at) => at + 2));
  expect([await press('Home'), await press('End'), await press('ArrowUp')]).toEqual([
    1,
    rows,
    rows - 1,
  ]);
  // A row that is loading passes the focus on once it has loaded.
  await page.waitForFunction(() => document.activeElement?.matches('button'));
  // The list is one tab stop.
  expect(await press('Tab')).toBe(0);
  expect(await press('Shift+Tab')).toBe(rows - 1);
});
