/**
 * The console in pseudo-languages: one is longer than English, one is written from
 * right to left. No text is missing from the catalogues, and none is cut off.
 */
import { rmSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGES } from '../src/i18n/pseudo/languages.ts';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { becomeOperator, confirmOperator } from './support/operator-journey.ts';
import { openPage, PAGES, pathOf } from './support/pages.ts';
import { buildPseudoConsole, servePseudoConsole } from './support/pseudo-console.ts';
import { type SeededAccount, seedAccount } from './support/seed-account.ts';
import {
  addVirtualAuthenticator,
  findCutOffTexts,
  findOverflow,
  resize,
} from './support/watched-page.ts';

const stage = startBrowserFixture();
const WIDTHS = [320, 1440] as const;
const VIEWS = ['overview', 'users', 'money', 'payouts', 'chains', 'ledger', 'rules']
  .concat('transfers', 'settlements', 'prices', 'applications', 'webhooks', 'brand', 'audit')
  .concat('devices')
  .map((view) => `/operator?view=${view}`);

let folder: string;
let seeded: SeededAccount;
let person: Page;
let operator: Page;
let stranger: Page;

async function openAsOperator(): Promise<Page> {
  const { page } = await stage.open();
  await addVirtualAuthenticator(page);
  await confirmOperator(page, await becomeOperator(page, stage.service));
  return page;
}

beforeAll(async () => {
  const built = buildPseudoConsole();
  seeded = await seedAccount(stage.service);
  person = (await stage.openAs(seeded.person)).page;
  operator = await openAsOperator();
  stranger = (await stage.open()).page;
  folder = await built;
  for (const page of [person, operator, stranger]) await servePseudoConsole(page, folder);
  await stranger.goto('/');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Texts and labels outside of brackets that have a word: data, and what the catalogues lack. */
function findUnbracketed(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: string[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (!node.parentElement?.closest('time, code, script, option[lang]'))
        texts.push(node.textContent ?? '');
    for (const name of ['aria-label', 'aria-valuetext', 'placeholder', 'alt'])
      for (const element of document.querySelectorAll(`[${name}]`))
        texts.push(element.getAttribute(name) ?? '');
    /** A text may stand within another, and between two names. */
    const withoutBrackets = (text: string): string[] => {
      const rest = text.replaceAll(/\[[^[\]]*\]/g, '\n');
      return rest === text ? text.split('\n').map((part) => part.trim()) : withoutBrackets(rest);
    };
    return texts.flatMap(withoutBrackets).filter((text) => /\p{L}{3}/u.test(text));
  });
}

/** Names of people, programs, networks and of the approver's passkey. */
const NAMES = new Set([
  ...['Edge Account', 'Ada', 'Grace', 'Linus', 'Margaret', 'Hopper'],
  ...['Edge Console', 'Edge Terminal', 'Edge Extension', 'Operator'],
  ...['My device'],
  // Languages by their own names.
  ...Object.values(LANGUAGES).map(({ name }) => name),
  ...['edge-console', 'edge-terminal', 'edge-extension', 'operator', 'operator:operator'],
  ...['Arbitrum One', 'Base', 'Bitcoin', 'BNB Smart Chain', 'Ethereum', 'Litecoin'],
  ...['OP Mainnet', 'Polygon', 'Local demo chain'],
]);

/** Currencies, both parts of an email address, web addresses, numbers with a unit, dates, codes. */
const DATA = [
  /^[,·]? ?[A-Z]{3,4}(, [A-Z]{3,4})*$/,
  /^\S*[@/]\S*$|^[a-z]+\.[0-9a-f]{8}$/,
  /^\p{N}/u,
  /^ABCD-EFGH$/,
  // References of purchases.
  /^order-\d+$/,
];

function isData(text: string): boolean {
  return NAMES.has(text) || DATA.some((data) => data.test(text));
}

async function check(page: Page, language: string): Promise<void> {
  expect(
    await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]),
  ).toEqual([language, LANGUAGES[language]?.direction]);
  expect((await findUnbracketed(page)).filter((text) => !isData(text))).toEqual([]);
  for (const width of WIDTHS) {
    await resize(page, width);
    expect(await findOverflow(page), `${width}`).toEqual([]);
    expect(await findCutOffTexts(page), `${width}`).toEqual([]);
  }
}

describe.each(['en-XA', 'ar-XB'])('in %s', (language) => {
  async function open(page: Page, path: string): Promise<void> {
    await page.evaluate((chosen) => localStorage.setItem('edge-language', chosen), language);
    await resize(page, WIDTHS[0]);
    await openPage(page, path);
  }

  test.each(PAGES)('a person sees %s', async (path) => {
    await open(person, pathOf(path, seeded));
    await check(person, language);
  });

  test.each(VIEWS)('an operator sees %s', async (path) => {
    await open(operator, path);
    await check(operator, language);
  });

  test('a stranger signs in, or creates an account', async () => {
    await open(stranger, '/');
    await check(stranger, language);
    await open(stranger, '/?ref=ABCDEFGH');
    await check(stranger, language);
  });
});
