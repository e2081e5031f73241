/** The icons of the installed app: named by their content, because browsers keep them for ever. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DEFAULT_BRAND } from '../../service/src/brand/brand.ts';
import { toManifest } from '../../service/src/brand/manifest.ts';

const CONSOLE = new URL('../', import.meta.url);
const FOLDER = new URL('public/assets/', CONSOLE);
const files = readdirSync(FOLDER);

test.each(files)('%s is named by its size and content', (file) => {
  const image = readFileSync(new URL(file, FOLDER));
  const [, side, hash] = /-(\d+)-([0-9a-f]{8})\.png$/.exec(file) ?? [];
  expect(createHash('sha256').update(image).digest('hex').slice(0, 8)).toBe(hash);
  expect([image.readUInt32BE(16), image.readUInt32BE(20)]).toEqual([Number(side), Number(side)]);
});

test('the manifest and the page name all of them, with their sizes', () => {
  const icons = toManifest(DEFAULT_BRAND).icons.map(({ src, sizes }) => {
    expect(src).toContain(`-${sizes.split('x', 1)[0]}-`);
    return src;
  });
  const index = readFileSync(new URL('index.html', CONSOLE), 'utf8');
  const [, touchIcon = ''] = /rel="apple-touch-icon" href="([^"]+)"/.exec(index) ?? [];
  const named = [...icons, touchIcon];
  expect(named.toSorted()).toEqual(files.map((file) => `/assets/${file}`).toSorted());
});
