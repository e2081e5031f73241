/**
 * Amounts as text. They arrive as exact decimal text and stay text, never a double. A readable
 * amount has two to four significant decimals and is cut, never rounded up; the exact amount has
 * every digit.
 */
export interface AmountParts {
  readonly sign: '' | '-' | '+';
  /** Grouped by thousands. */
  readonly whole: string;
  /** At least two decimals. */
  readonly decimals: string;
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;
const DECIMALS_MIN = 2;
/** Decimals of a readable amount below one. */
const DECIMALS_SMALL = 4;

function group(whole: string): string {
  return whole.replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Splits an amount, with every digit; undefined when the text is no plain decimal. */
export function splitAmount(
  text: string,
  { plus = false }: { plus?: boolean } = {},
): AmountParts | undefined {
  const match = DECIMAL.exec(text);
  if (!match) return undefined;
  const [, minus = '', whole = '0', fraction = ''] = match;
  const decimals = fraction.replace(/0+$/, '').padEnd(DECIMALS_MIN, '0');
  const isZero = /^0*$/.test(whole + decimals);
  return {
    sign: minus === '-' ? '-' : plus && !isZero ? '+' : '',
    whole: group(whole),
    decimals,
  };
}

/**
 * The decimals that are read: two from one up, four below one, and of an amount that four decimals
 * would show as zero the first two that are not zero.
 */
export function readableDecimals({ whole, decimals }: AmountParts): string {
  if (whole !== '0') return decimals.slice(0, DECIMALS_MIN);
  const zeros = /^0*/.exec(decimals)?.[0].length ?? 0;
  const count = zeros < DECIMALS_SMALL ? DECIMALS_SMALL : zeros + DECIMALS_MIN;
  return decimals.slice(0, count).replace(/0+$/, '').padEnd(DECIMALS_MIN, '0');
}

/** The same in a column: below one all have four, so that they are equally long. */
export function columnDecimals(parts: AmountParts): string {
  const readable = readableDecimals(parts);
  return parts.whole === '0' && /[^0]/.test(readable)
    ? readable.padEnd(DECIMALS_SMALL, '0')
    : readable;
}

/** Two decimals for an estimate, and of less than a hundredth the first two that are not zero. */
function estimateDecimals({ whole, decimals }: AmountParts): string {
  const zeros = /^0*/.exec(decimals)?.[0].length ?? 0;
  const isTiny = whole === '0' && zeros >= DECIMALS_MIN && zeros < decimals.length;
  return decimals.slice(0, isTiny ? zeros + DECIMALS_MIN : DECIMALS_MIN);
}

/** The exact amount as one line of text. */
export function amountText(text: string, currency = ''): string {
  const parts = splitAmount(text);
  const number = parts ? `${parts.sign === '-' ? '−' : ''}${parts.whole}.${parts.decimals}` : text;
  return currency === '' ? number : `${number} ${currency}`;
}

/** The amount as it is read, as one line of text: the exact one where nothing is cut. */
export function readableText(text: string, currency = ''): string {
  const parts = splitAmount(text);
  if (!parts) return amountText(text, currency);
  const sign = parts.sign === '-' ? '−' : '';
  const number = `${sign}${parts.whole}.${readableDecimals(parts)}`;
  return currency === '' ? number : `${number} ${currency}`;
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

/** About what an amount is worth at a price: not money, but what helps to judge it. */
export function valueAt(amount: string, price: string): string {
  const match = DECIMAL.exec(price);
  if (!match) return '0';
  const [, minus = '', whole = '0', fraction = ''] = match;
  const value =
    (toUnits(amount) * BigInt(minus + whole + fraction)) / 10n ** BigInt(fraction.length);
  const exact = fromUnits(value);
  const parts = splitAmount(exact);
  return parts ? `${exact.split('.')[0]}.${estimateDecimals(parts)}` : exact;
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

/** A number of an axis: "1.2K". */
export function compactText(value: number, language: string): string {
  const options = { notation: 'compact', maximumSignificantDigits: 3 } as const;
  return new Intl.NumberFormat(language, options).format(value);
}
