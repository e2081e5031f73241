/**
 * Amounts for the eye. They arrive as exact decimal text and stay text: grouped, never rounded,
 * never a double. The first decimals are set apart from the tail, so that a long amount stays
 * readable and still is whole.
 */
export interface AmountParts {
  readonly sign: '' | '-' | '+';
  /** Grouped by thousands. */
  readonly whole: string;
  /** At least two decimals, at most six. */
  readonly decimals: string;
  /** Further decimals, without trailing zeros. */
  readonly tail: string;
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;
const DECIMALS_MIN = 2;
/** As many stand before the tail. */
export const DECIMALS_MAX = 6;

/** Splits an amount for display; undefined when the text is no plain decimal. */
export function splitAmount(
  text: string,
  { plus = false }: { plus?: boolean } = {},
): AmountParts | undefined {
  const match = DECIMAL.exec(text);
  if (!match) return undefined;
  const [, minus = '', whole = '0', fraction = ''] = match;
  const significant = fraction.replace(/0+$/, '').padEnd(DECIMALS_MIN, '0');
  const isZero = /^0*$/.test(whole + significant);
  return {
    sign: minus === '-' ? '-' : plus && !isZero ? '+' : '',
    whole: whole.replace(/\B(?=(\d{3})+$)/g, ','),
    decimals: significant.slice(0, DECIMALS_MAX),
    tail: significant.slice(DECIMALS_MAX),
  };
}

/** The whole amount as one line of text. */
export function amountText(text: string, currency = ''): string {
  const parts = splitAmount(text);
  const number = parts
    ? `${parts.sign === '-' ? '−' : ''}${parts.whole}.${parts.decimals}${parts.tail}`
    : text;
  return currency === '' ? number : `${number} ${currency}`;
}

/**
 * Decimals of the longest of some amounts, as they are shown: what a column of them has to have
 * room for.
 */
export function longestScale(texts: readonly string[]): number {
  return Math.max(
    DECIMALS_MIN,
    ...texts.map((text) => DECIMAL.exec(text)?.[3]?.replace(/0+$/, '').length ?? 0),
  );
}

const SCALE = 18;

/** An amount in units of 10^-18, for comparing, summing and drawing. */
export function toUnits(text: string): bigint {
  const match = DECIMAL.exec(text);
  if (!match) return 0n;
  const [, minus = '', whole = '0', fraction = ''] = match;
  const units = BigInt(whole + fraction.slice(0, SCALE).padEnd(SCALE, '0'));
  return minus === '-' ? -units : units;
}

/** Exact text of an amount that is counted in units of `10^-scale`. */
export function decimalOf(units: bigint, scale: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  const whole = digits.slice(0, digits.length - scale);
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** The same of units of 10^-18. */
export function fromUnits(units: bigint): string {
  return decimalOf(units, SCALE);
}

/** A measured quantity, which is no money: cut after a few decimals. */
export function cutDecimals(text: string, most = 3): string {
  const [whole = '', fraction = ''] = text.split('.');
  const kept = fraction.slice(0, most).replace(/0+$/, '');
  return kept === '' ? whole : `${whole}.${kept}`;
}

/** The sum of amounts, exact. */
export function sumAmounts(texts: readonly string[]): string {
  return fromUnits(texts.reduce((sum, text) => sum + toUnits(text), 0n));
}

/** The largest of some units; 0n of none. */
export function largestOf(units: readonly bigint[]): bigint {
  let largest = 0n;
  for (const unit of units) if (unit > largest) largest = unit;
  return largest;
}

/** A share from 0 to 1 for drawing a bar: the only place where precision may be lost. */
export function shareOf(part: bigint, whole: bigint): number {
  if (whole <= 0n || part <= 0n) return 0;
  return Number((part * 10_000n) / whole) / 10_000;
}
