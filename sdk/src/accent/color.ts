/** sRGB colours: their contrast (WCAG 2.2), and their lightness in OKLCH (CSS Color 4). */

/** Red, green and blue from 0 to 1, as they are written. */
export type Rgb = readonly [number, number, number];

/** Lightness from 0 to 1, chroma from 0, hue in radians. */
export interface Oklch {
  readonly lightness: number;
  readonly chroma: number;
  readonly hue: number;
}

/** @param hex `#rrggbb` */
export function readHex(hex: string): Rgb {
  const at = (start: number): number => Number.parseInt(hex.slice(start, start + 2), 16) / 255;
  return [at(1), at(3), at(5)];
}

export function toHex(rgb: Rgb): string {
  const digits = rgb.map((part) =>
    Math.round(Math.min(1, Math.max(0, part)) * 255)
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${digits.join('')}`;
}

const toLinear = (part: number): number =>
  part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
const fromLinear = (part: number): number =>
  part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055;

function luminanceOf(hex: string): number {
  const [red, green, blue] = readHex(hex);
  return 0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue);
}

/** Contrast ratio of WCAG 2.2, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** `color-mix(in srgb, color share, ground)`, with the share from 0 to 1. */
export function mix(color: string, share: number, ground: string): string {
  const [red, green, blue] = readHex(color);
  const [groundRed, groundGreen, groundBlue] = readHex(ground);
  const blend = (part: number, under: number): number => part * share + under * (1 - share);
  return toHex([blend(red, groundRed), blend(green, groundGreen), blend(blue, groundBlue)]);
}

export function toOklch(hex: string): Oklch {
  const [red, green, blue] = readHex(hex).map(toLinear) as unknown as Rgb;
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(a, b),
    hue: Math.atan2(b, a),
  };
}

function toRgb({ lightness, chroma, hue }: Oklch): Rgb {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    fromLinear(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    fromLinear(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    fromLinear(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

const isShown = (rgb: Rgb): boolean => rgb.every((part) => part >= -0.0001 && part <= 1.0001);
const CHROMA_STEPS = 16;

/** The colour, with as much of its chroma as sRGB can show at its lightness. */
export function fromOklch(color: Oklch): string {
  const whole = toRgb(color);
  if (isShown(whole)) return toHex(whole);
  let shown = 0;
  let hidden = color.chroma;
  for (let i = 0; i < CHROMA_STEPS; i++) {
    const chroma = (shown + hidden) / 2;
    if (isShown(toRgb({ ...color, chroma }))) shown = chroma;
    else hidden = chroma;
  }
  return toHex(toRgb({ ...color, chroma: shown }));
}
