/** The grounds and tints against which the shades of an accent are computed are the console's. */
import { globSync, readFileSync } from 'node:fs';
import { contrastOf, GROUNDS, TEXT_CONTRAST, TINTED_GROUNDS } from '@edge-account/sdk/accent';
import { expect, test } from 'vitest';

const SOURCE = new URL('../src/', import.meta.url).pathname;
const tokens = readFileSync(`${SOURCE}theme/tokens.css`, 'utf8');

function pairOf(name: string): { light: string; dark: string } {
  const [, light = '', dark = ''] =
    new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(tokens) ?? [];
  return { light, dark };
}
const grounds = ['ground', 'surface', 'surface-sunken', 'field'].map(pairOf);

test.each(['light', 'dark'] as const)('every ground of a %s page is known', (theme) => {
  const known = grounds.map((ground) => ground[theme]);
  expect([...new Set(known)].sort()).toEqual([...GROUNDS[theme]].sort());
  expect(TINTED_GROUNDS[theme].map(([ground]) => ground)).toEqual([
    pairOf('surface')[theme],
    pairOf('ground')[theme],
  ]);
});

test('text in the accent stands on no stronger tint than is known, but under a pointer', () => {
  const most = { surface: 0, ground: 0 };
  for (const file of globSync('**/*.css', { cwd: SOURCE })) {
    const rules = readFileSync(SOURCE + file, 'utf8').matchAll(/([^{}]+)\{([^{}]*)\}/g);
    for (const [, selector = '', body = ''] of rules) {
      if (selector.includes(':hover') || !body.includes('color: var(--link)')) continue;
      const [, share = '0', ground = ''] =
        /background: color-mix\(in srgb, var\(--leaf\) (\d+)%, var\(--(\w+)\)\)/.exec(body) ?? [];
      if (ground === 'surface' || ground === 'ground')
        most[ground] = Math.max(most[ground], Number(share) / 100);
    }
  }
  expect(most.surface).toBe(TINTED_GROUNDS.light[0][1]);
  expect(most.ground).toBeLessThanOrEqual(TINTED_GROUNDS.light[1][1]);
});

/** What a sign without text must contrast with what is behind it (WCAG 2.2, 1.4.11). */
const GRAPHIC_CONTRAST = 3;

test.each(['light', 'dark'] as const)(
  'what is well is seen on every ground of a %s page',
  (theme) => {
    for (const ground of GROUNDS[theme]) {
      expect(contrastOf(pairOf('ok')[theme], ground), ground).toBeGreaterThanOrEqual(TEXT_CONTRAST);
      expect(contrastOf(pairOf('ok-fill')[theme], ground), ground).toBeGreaterThanOrEqual(
        GRAPHIC_CONTRAST,
      );
    }
  },
);

test('a status has no colour of the accent', () => {
  const status = /data-(status|level)=|data-state='live'/;
  const accented = /var\(--(leaf|leaf-strong)\)/;
  for (const file of globSync('**/*.css', { cwd: SOURCE })) {
    const rules = readFileSync(SOURCE + file, 'utf8').matchAll(/([^{}]+)\{([^{}]*)\}/g);
    for (const [, selector = '', body = ''] of rules)
      if (status.test(selector)) expect(body, file).not.toMatch(accented);
  }
});
