/**
 * Exact money: bigint minor units inside, a plain decimal token outside. Nothing here passes
 * through a double.
 */
import { fieldError } from './failures.ts';

const WHOLE_MAX = 60;
const FRACTION_MAX = 30;

const WHOLE_PATTERN = `(0|[1-9][0-9]{0,${WHOLE_MAX - 1}})`;
/**
 * A plain decimal: optional minus, no leading zeros, no exponent; of a length that no amount or
 * price exceeds.
 */
export const DECIMAL_PATTERN = `^-?${WHOLE_PATTERN}(\\.[0-9]{1,${FRACTION_MAX}})?$`;
/** `DECIMAL_PATTERN` as text. */
export const DECIMAL_FORM =
  `plain decimal, no exponent, at most ${WHOLE_MAX} digits before the point ` +
  `and ${FRACTION_MAX} after it`;

/** A number as JSON writes it: sign, whole part, fraction, exponent. */
const NUMBER = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

/** Largest total of minor units that a column `numeric(78,0)` holds. */
export const MAX_MINOR = 10n ** 78n - 1n;
/**
 * Largest amount of minor units in one posting. 10^38 postings of it fit into a total: at a million
 * a second that takes 3 * 10^24 years.
 */
export const AMOUNT_MAX = 10n ** 40n;
const MINOR_DIGITS = 78;

/**
 * Reads a decimal token into minor units without rounding.
 * @param text plain decimal, for example `12.50`
 * @param scale decimals of the currency, 0 to 30
 * @param field name reported when the token is refused
 * @throws `invalid_parameter` when the token is no plain decimal, has more decimals than the
 *   scale, or is too large
 */
export function parseAmount(text: string, scale: number, field = 'amount'): bigint {
  const [, sign, whole = '', fraction = '', exponent] = NUMBER.exec(text) ?? [];
  if (sign === undefined || exponent !== undefined)
    throw fieldError(field, 'not_a_decimal', 'must be a plain decimal number without exponent');
  // Trailing zeros too: more decimals than the currency has mean another currency.
  if (fraction.length > scale)
    throw fieldError(field, 'too_many_decimals', `has more than ${scale} decimals`);
  const minor =
    whole.length > WHOLE_MAX ? MAX_MINOR + 1n : BigInt(whole + fraction.padEnd(scale, '0'));
  if (minor > MAX_MINOR) throw fieldError(field, 'too_large', 'is too large');
  return sign === '-' ? -minor : minor;
}

/**
 * Reads a JSON number of another program, exponents included (`8.02e-06`), without a double.
 * Decimals beyond the scale are rounded half to even, once.
 * @throws `invalid_parameter` when it is no number, or too large
 */
export function parseRounded(text: string, scale: number, field = 'amount'): bigint {
  const [, sign, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  if (sign === undefined) throw fieldError(field, 'not_a_number', 'must be a decimal number');
  const digits = BigInt(whole + fraction);
  const shift = digits === 0n ? 0 : Number(exponent) - fraction.length + scale;
  const length = String(digits).length + shift;
  if (length > MINOR_DIGITS) throw fieldError(field, 'too_large', 'is too large');
  // Rounds to zero; the power of ten could be too large to compute.
  if (length < 0) return 0n;
  const minor =
    shift >= 0 ? digits * 10n ** BigInt(shift) : divideHalfEven(digits, 10n ** BigInt(-shift));
  return sign === '-' ? -minor : minor;
}

const ZERO = 48;

/**
 * Prints minor units as the shortest plain decimal: no trailing zeros, no exponent (`1250000n` at
 * scale 6 is `1.25`).
 * @param minor an integer, or its digits as the database prints them
 */
export function formatAmount(minor: bigint | string, scale: number): string {
  const text = String(minor);
  const isNegative = text.startsWith('-');
  const digits = (isNegative ? text.slice(1) : text).padStart(scale + 1, '0');
  const point = digits.length - scale;
  let end = digits.length;
  while (end > point && digits.charCodeAt(end - 1) === ZERO) end--;
  const whole = digits.slice(0, point);
  const plain = end > point ? `${whole}.${digits.slice(point, end)}` : whole;
  return isNegative ? `-${plain}` : plain;
}

/** Decimals of a readable amount from one up, and below one. */
const DECIMALS = 2;
const DECIMALS_SMALL = 4;

/**
 * An amount as people read it: cut as the console cuts it, never rounded, to two decimals from one
 * up and four below one; of one that four decimals would show as zero the first two that are not
 * zero stay. It is not grouped: a comma is the decimal point of other languages.
 * @param text a plain decimal; another text stays as it is
 */
export function readableAmount(text: string): string {
  const [, sign = '', whole, fraction = ''] = NUMBER.exec(text) ?? [];
  if (whole === undefined || /e/i.test(text)) return text;
  const zeros = /^0*/.exec(fraction)?.[0].length ?? 0;
  const small = zeros < DECIMALS_SMALL ? DECIMALS_SMALL : zeros + DECIMALS;
  const kept = fraction.slice(0, whole === '0' ? small : DECIMALS).replace(/0+$/, '');
  return kept === '' ? sign + whole : `${sign}${whole}.${kept}`;
}

/**
 * Divides, rounding half to even (banker's rounding), for the single rounding that a conversion
 * makes.
 */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  if (denominator <= 0n) throw new RangeError('the denominator must be positive');
  const negative = numerator < 0n;
  const absolute = negative ? -numerator : numerator;
  const quotient = absolute / denominator;
  const twice = (absolute % denominator) * 2n;
  const up = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  const rounded = up ? quotient + 1n : quotient;
  return negative ? -rounded : rounded;
}
