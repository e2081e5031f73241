/** What kind of refusal an error is. */
import { EdgeError } from '@edge-account/sdk';

/** True for a refusal with one of these codes; without codes for any refusal. */
export function isProblem(error: unknown, ...codes: readonly string[]): error is EdgeError {
  return error instanceof EdgeError && (codes.length === 0 || codes.includes(error.code));
}

/** True for a wrong code without attempts left: its ticket is used up. */
export function isLastTry(error: unknown): boolean {
  return isProblem(error, 'invalid_code') && error.problem.tries_left === 0;
}

/** True when the request may have been executed: no response, or one that does not tell. */
export function isUnsettled(error: unknown): boolean {
  return (
    isProblem(error) &&
    (error.status === 0 || error.status >= 500 || error.code === 'idempotency_in_flight')
  );
}

/** True when the same request may succeed later: no response, or one that asks to wait. */
export function isPassing(error: unknown): boolean {
  return (
    isProblem(error) && (error.status === 0 || error.status >= 500 || error.code === 'rate_limited')
  );
}
