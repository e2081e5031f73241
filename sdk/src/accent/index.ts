/** Shades of an accent colour in which text can be read, in light and in dark. */
import { contrastOf, fromOklch, mix, type Oklch, toOklch } from './color.ts';

export { contrastOf } from './color.ts';

/** How much text must contrast with what is behind it (WCAG 2.2, 1.4.3). */
export const TEXT_CONTRAST = 4.5;

/** The colours that pages have behind links and around buttons. */
export const GROUNDS = {
  light: ['#ffffff', '#f6f6f2', '#eeeeea'],
  dark: ['#0c0f0e', '#121614', '#1a201d', '#1c2320'],
} as const;

/** Where text in the accent stands on a tint: the share of the tint, by the ground under it. */
export const TINTED_GROUNDS = {
  light: [
    ['#ffffff', 0.24],
    ['#f6f6f2', 0.2],
  ],
  dark: [
    ['#1a201d', 0.24],
    ['#121614', 0.2],
  ],
} as const;
const TINT = { lightness: 0.74, chroma: 0.13 };
const STRONG_TINT = { lightness: 0.64, chroma: 0.15 };
const STEP = 0.004;
const HOVER_STEP = 0.07;

/** What a theme makes of an accent; every colour is `#rrggbb`. */
export interface ThemeShades {
  /** Links, and what a button is filled with. */
  readonly filled: string;
  /** The same under the pointer. */
  readonly filledHover: string;
  /** Text on both. */
  readonly onFilled: string;
  /** The least contrast that the accent itself would have in this theme, from 1 to 21. */
  readonly ownContrast: number;
}

export interface AccentShades {
  readonly light: ThemeShades;
  readonly dark: ThemeShades;
  /** Mixed into grounds. */
  readonly tint: string;
  /** Signs without text. */
  readonly strongTint: string;
}

/** True for what an accent can be: `#rrggbb` in lower case. */
export function isAccent(text: string): boolean {
  return /^#[0-9a-f]{6}$/.test(text);
}

function leastContrast(color: string, grounds: readonly string[]): number {
  return Math.min(...grounds.map((ground) => contrastOf(color, ground)));
}

/** Keeps the hue, and at most some chroma. */
function tintOf(accent: Oklch, { lightness, chroma }: typeof TINT): string {
  return fromOklch({ ...accent, lightness, chroma: Math.min(accent.chroma, chroma) });
}

/** Moves the lightness only as far as text needs it; black and white end the way. */
function findReadable(accent: string, grounds: readonly string[], direction: 1 | -1): string {
  const start = toOklch(accent);
  let shade = accent;
  for (let moved = STEP; leastContrast(shade, grounds) < TEXT_CONTRAST; moved += STEP)
    shade = fromOklch({ ...start, lightness: start.lightness + direction * moved });
  return shade;
}

function shadesOf(accent: string, tint: string, theme: 'light' | 'dark'): ThemeShades {
  const own = GROUNDS[theme];
  const tinted = TINTED_GROUNDS[theme].map(([ground, share]) => mix(tint, share, ground));
  const grounds = [...own, ...tinted];
  const direction = theme === 'light' ? -1 : 1;
  const filled = findReadable(accent, grounds, direction);
  const { lightness, ...rest } = toOklch(filled);
  const hovered = Math.min(1, Math.max(0, lightness + direction * HOVER_STEP));
  return {
    filled,
    filledHover: fromOklch({ ...rest, lightness: hovered }),
    onFilled: own[0],
    ownContrast: leastContrast(accent, grounds),
  };
}

/**
 * What light and dark pages make of an accent: the accent itself where text in it can be read, and
 * otherwise its hue, darker or lighter.
 * @param accent `#rrggbb` in lower case
 */
export function createAccentShades(accent: string): AccentShades {
  const color = toOklch(accent);
  const tint = tintOf(color, TINT);
  return {
    light: shadesOf(accent, tint, 'light'),
    dark: shadesOf(accent, tint, 'dark'),
    tint,
    strongTint: tintOf(color, STRONG_TINT),
  };
}

/** The same as custom properties of the console, by name. */
export function toCustomProperties({
  light,
  dark,
  tint,
  strongTint,
}: AccentShades): Readonly<Record<string, string>> {
  const pair = (name: 'filled' | 'filledHover' | 'onFilled'): string =>
    `light-dark(${light[name]}, ${dark[name]})`;
  return {
    '--link': pair('filled'),
    '--filled': pair('filled'),
    '--filled-hover': pair('filledHover'),
    '--on-filled': pair('onFilled'),
    '--leaf': tint,
    '--leaf-strong': strongTint,
    '--mark': light.filled,
  };
}

/** A rule for a page of the console, stronger than those of its own style sheets. */
export function toPageRule(accent: string): string {
  const properties = Object.entries(toCustomProperties(createAccentShades(accent)));
  return `:root:root{${properties.map(([name, value]) => `${name}:${value}`).join(';')}}`;
}
