import { type FailureDetails, failure } from '../lib/failures.ts';

/** Ids in columns of 32 bits have at most nine digits. */
export const INTEGER_ID = { max: 999_999_999 };

/** A number in a path. @throws `not_found` unless it is a positive integer of at most `max` */
export function parsePathId(
  text: string,
  { max = Number.MAX_SAFE_INTEGER, ...details }: { readonly max?: number } & FailureDetails = {},
): number {
  if (!/^[1-9]\d{0,15}$/.test(text) || Number(text) > max) throw failure('not_found', details);
  return Number(text);
}
