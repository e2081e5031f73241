/** Exact money: bigint minor units inside, a plain decimal token outside. Nothing here passes through a double. */
import { failure } from './failures.ts';

/** A plain decimal: optional minus, no leading zeros, no exponent. At most 60 whole and 30 fraction digits. */
export const DECIMAL_PATTERN = '^-?(0|[1-9][0-9]{0,59})(\\.[0-9]{1,30})?$';
const DECIMAL = new RegExp(DECIMAL_PATTERN);

/** Largest amount of minor units that the database column `numeric(78,0)` holds. */
export const MAX_MINOR = 10n ** 78n - 1n;

/**
 * Reads a decimal token into minor units without rounding.
 * @param text plain decimal, for example `12.50`
 * @param scale decimals of the currency, 0 to 30
 * @param field name reported when the token is refused
 * @throws `invalid_parameter` when the token is no plain decimal, has more decimals than the scale, or is too large
 */
export function parseAmount(text: string, scale: number, field = 'amount'): bigint {
  if (!DECIMAL.test(text)) {
    throw failure('invalid_parameter', { fields: [{ field, code: 'not_a_decimal', message: 'must be a plain decimal number without exponent' }] });
  }
  const negative = text.startsWith('-');
  const [whole = '0', fraction = ''] = (negative ? text.slice(1) : text).split('.');
  // Zeros too: whoever writes more decimals than there are means another currency.
  if (fraction.length > scale) {
    throw failure('invalid_parameter', { fields: [{ field, code: 'too_many_decimals', message: `has more than ${scale} decimals` }] });
  }
  const minor = BigInt(whole + fraction.padEnd(scale, '0'));
  if (minor > MAX_MINOR) {
    throw failure('invalid_parameter', { fields: [{ field, code: 'too_large', message: 'is too large' }] });
  }
  return negative ? -minor : minor;
}

/** Prints minor units as the shortest plain decimal: no trailing zeros, no exponent (`1250000n` at scale 6 is `1.25`). */
export function formatAmount(minor: bigint, scale: number): string {
  const negative = minor < 0n;
  const digits = (negative ? -minor : minor).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return `${negative ? '-' : ''}${whole}${fraction ? `.${fraction}` : ''}`;
}

/** Divides, rounding half to even (banker's rounding), for the single rounding that a conversion makes. */
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
