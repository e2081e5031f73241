/** An operator's right wears off some time after the sign-in, while their pages stay open: it is asked for anew beside them. */
import type { CallOptions, Method } from '../api/http.ts';
import { ApiError, isProblem } from '../api/problem.ts';
import { callAsMe } from '../session/session.ts';

/** `over`: heard of by a look that nobody asked for, which interrupts nobody. `asking`: something waits for it. */
export type ElevationState = 'held' | 'over' | 'asking';

let state: ElevationState = 'held';
let answer: PromiseWithResolvers<void> | undefined;
const listeners = new Set<() => void>();

function set(next: ElevationState): void {
  state = next;
  for (const listener of listeners) listener();
}

export function readRight(): ElevationState {
  return state;
}

export function onRightChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Fulfilled when the right is there again. Whoever asks meanwhile waits for the same. */
export function requestElevation(): Promise<void> {
  answer ??= Promise.withResolvers<void>();
  set('asking');
  return answer.promise;
}

/** The person signed in again, or would not. */
export function settleRight(isHeld: boolean): void {
  const asked = answer;
  answer = undefined;
  set(isHeld ? 'held' : 'over');
  if (isHeld) asked?.resolve();
  else asked?.reject(new ApiError({ status: 403, code: 'reauthentication_required' }));
}

/** One call as an operator. A change that meets the end of the right asks for it, and is made then. */
export async function callAsOperator<T>(
  method: Method,
  path: string,
  options?: CallOptions,
): Promise<T> {
  try {
    return await callAsMe<T>(method, path, options);
  } catch (error) {
    if (!isProblem(error, 'insufficient_scope')) throw error;
    if (method === 'GET') {
      if (state === 'held') set('over');
      throw error;
    }
    await requestElevation();
    return callAsMe<T>(method, path, options);
  }
}
