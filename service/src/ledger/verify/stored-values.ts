/** Stored numbers after changes by hand, which can write what no posting ever writes. */

/**
 * Stand for what is no plain number; nothing that was sealed has them, so such a row is found as
 * any other change.
 */
const NO_NUMBER = Number.MAX_SAFE_INTEGER;
const NO_AMOUNT = 10n ** 90n;

/** A count, an id or a time that the database gave as text. */
export function readNumber(text: string | null): number {
  const value = text === null ? Number.NaN : Number(text);
  return Number.isSafeInteger(value) ? value : NO_NUMBER;
}

export function readNullable(text: string | null): number | null {
  return text === null ? null : readNumber(text);
}

/** Minor units that the database gave as text. */
export function readAmount(text: string | null): bigint {
  return text !== null && /^-?\d+$/.test(text) ? BigInt(text) : NO_AMOUNT;
}
