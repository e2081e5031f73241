/**
 * Exact amounts. The client asks for decimals as strings, so that no figure ever becomes a double.
 */

const DECIMAL = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/;

/**
 * Minor units of a decimal: `1.25` at scale 6 is `1250000n`. @throws RangeError when it does not
 * fit the scale exactly
 */
export function toMinorUnits(decimal: string, scale: number): bigint {
  const match = DECIMAL.exec(decimal);
  if (!match) throw new RangeError(`not a plain decimal: ${decimal}`);
  const [, sign = '', whole = '0', fraction = ''] = match;
  const kept = fraction.replace(/0+$/, '');
  if (kept.length > scale) throw new RangeError(`${decimal} has more than ${scale} decimals`);
  const minor = BigInt(whole + kept.padEnd(scale, '0'));
  return sign === '-' ? -minor : minor;
}

/** The shortest decimal of minor units: `1250000n` at scale 6 is `1.25`. */
export function fromMinorUnits(minor: bigint, scale: number): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return `${minor < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** The sum of decimals, exact whatever their scales. */
export function addDecimals(...decimals: readonly string[]): string {
  const scale = Math.max(0, ...decimals.map((decimal) => decimal.split('.')[1]?.length ?? 0));
  return fromMinorUnits(
    decimals.reduce((sum, decimal) => sum + toMinorUnits(decimal, scale), 0n),
    scale,
  );
}
