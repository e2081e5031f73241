/** Which files the console's document asks for before any of its scripts has run. */
import { existsSync, readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { home as english } from '../src/i18n/en/home.ts';
import { home as spanish } from '../src/i18n/es/home.ts';
import { home as chinese } from '../src/i18n/zh/home.ts';

const DIST = new URL('../dist/', import.meta.url);
const document = readFileSync(new URL('index.html', DIST), 'utf8');

interface Link {
  readonly rel: string;
  readonly as?: string;
  readonly href: string;
  readonly nonce: string;
}

/** Runs the document's scripts in a browser that has kept `stored`. */
function openDocument(stored: Readonly<Record<string, string>>, languages = ['en-US']): Link[] {
  const links: Link[] = [];
  const browser = {
    localStorage: { getItem: (name: string) => stored[name] ?? null },
    navigator: { languages },
    document: {
      documentElement: { dataset: {} },
      createElement: () => ({}),
      currentScript: { nonce: 'n' },
      head: { append: (link: Link) => links.push(link) },
    },
  };
  for (const [, script = ''] of document.matchAll(/<script nonce="[^"]*">(.*?)<\/script>/gs))
    runInNewContext(script, browser);
  for (const { href } of links) expect(existsSync(new URL(`.${href}`, DIST)), href).toBe(true);
  return links;
}

const read = ({ href }: Link): string => readFileSync(new URL(`.${href}`, DIST), 'utf8');
const isScript = ({ rel }: Link): boolean => rel === 'modulepreload';

test('a signed-out person gets the sign-in, and none of the pages', () => {
  const links = openDocument({});
  expect(links.map(({ rel, as }) => as ?? rel)).toEqual(['modulepreload', 'style']);
  expect(links.every(({ nonce }) => nonce === 'n')).toBe(true);
});

test.each([
  [{}, ['en-GB', 'zh'], english.today],
  [{}, ['fr', 'es-MX'], spanish.today],
  [{ 'edge-language': 'zh' }, ['es'], chinese.today],
  [{}, ['fr'], english.today],
])('a person who was signed in gets the pages and their texts (%j, %j)', (stored, wants, text) => {
  const links = openDocument({ ...stored, 'edge-signed-in': 'yes' }, wants);
  const scripts = links.filter(isScript).map(read);
  expect(scripts.some((script) => script.includes(text))).toBe(true);
  expect(links.some(({ as }) => as === 'style')).toBe(true);
  expect(links.length).toBeLessThanOrEqual(4);
});

test('a browser without storage is shown the document', () => {
  const forbidden = {
    get(): never {
      throw new Error('forbidden');
    },
  };
  expect(openDocument(new Proxy({}, forbidden))).toEqual([]);
});
