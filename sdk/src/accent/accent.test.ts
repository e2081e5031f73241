import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromOklch, mix, toOklch } from './color.ts';
import {
  contrastOf,
  createAccentShades,
  GROUNDS,
  isAccent,
  TEXT_CONTRAST,
  TINTED_GROUNDS,
  toCustomProperties,
} from './index.ts';

const accents = fc
  .integer({ min: 0, max: 0xff_ff_ff })
  .map((number) => `#${number.toString(16).padStart(6, '0')}`);
const THEMES = ['light', 'dark'] as const;

test('contrast is that of WCAG 2.2', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 10);
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(contrastOf('#ff0000', '#ffffff')).toBeCloseTo(4, 2);
  expect(contrastOf('#0c7349', '#0c7349')).toBe(1);
});

test('a colour survives OKLCH, and one that sRGB lacks keeps its lightness', () => {
  fc.assert(fc.property(accents, (hex) => fromOklch(toOklch(hex)) === hex));
  const shown = toOklch(fromOklch({ lightness: 0.6, chroma: 0.5, hue: 1 }));
  expect(shown.lightness).toBeCloseTo(0.6, 2);
  expect(shown.chroma).toBeLessThan(0.3);
});

describe('the shades of an accent', () => {
  test('of any colour can be read wherever pages show text in them', () => {
    fc.assert(
      fc.property(accents, (accent) => {
        const shades = createAccentShades(accent);
        for (const theme of THEMES) {
          const { filled, filledHover, onFilled } = shades[theme];
          const tinted = TINTED_GROUNDS[theme].map(([ground, share]) =>
            mix(shades.tint, share, ground),
          );
          for (const ground of [...GROUNDS[theme], ...tinted])
            expect(contrastOf(filled, ground)).toBeGreaterThanOrEqual(TEXT_CONTRAST);
          expect(contrastOf(filledHover, onFilled)).toBeGreaterThanOrEqual(TEXT_CONTRAST);
          expect([filled, filledHover, onFilled].every(isAccent)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('are the accent itself where it can be read', () => {
    expect(createAccentShades('#0c7349').light.filled).toBe('#0c7349');
    expect(createAccentShades('#0a0a0a').light.filled).toBe('#0a0a0a');
    expect(createAccentShades('#fff3b0').dark.filled).toBe('#fff3b0');
  });

  test.each([
    ['a pale yellow', '#fff3b0', 'light'],
    ['a near-black', '#0a0a0a', 'dark'],
    ['white', '#ffffff', 'light'],
    ['black', '#000000', 'dark'],
  ] as const)('correct %s, and keep its hue', (_name, accent, theme) => {
    const { filled, ownContrast } = createAccentShades(accent)[theme];
    expect(ownContrast).toBeLessThan(TEXT_CONTRAST);
    expect(filled).not.toBe(accent);
    const [was, is] = [toOklch(accent), toOklch(filled)];
    if (was.chroma > 0.02) expect(is.hue).toBeCloseTo(was.hue, 1);
  });

  test('are custom properties that serve both themes', () => {
    const shades = createAccentShades('#2563eb');
    expect(toCustomProperties(shades)).toMatchObject({
      '--filled': `light-dark(${shades.light.filled}, ${shades.dark.filled})`,
      '--on-filled': 'light-dark(#ffffff, #0c0f0e)',
    });
  });
});

test.each(['#12345', '#1234567', '#GGGGGG', '#ABCDEF', 'red', '', 'url(x)'])(
  '%j is no accent',
  (text) => expect(isAccent(text)).toBe(false),
);
