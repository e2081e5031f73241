/**
 * Operator scopes expire some time after the sign-in, while operator pages stay open: a new sign-in
 * is asked for beside the page.
 */
import { EdgeError, unwrap } from '@edge-account/sdk';
import { isProblem } from '../api/problem.ts';

/** `over`: a background read was refused. `asking`: a change waits for the sign-in. */
export type ElevationState = 'held' | 'over' | 'asking';

let state: ElevationState = 'held';
let answer: PromiseWithResolvers<void> | undefined;
const listeners = new Set<() => void>();

function set(next: ElevationState): void {
  state = next;
  for (const listener of listeners) listener();
}

export function readElevation(): ElevationState {
  return state;
}

export function onElevationChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Fulfilled after the sign-in. Concurrent calls share one. */
export function requestElevation(): Promise<void> {
  answer ??= Promise.withResolvers<void>();
  set('asking');
  return answer.promise;
}

/** The user has signed in, or has closed the question. */
export function resolveElevation(isHeld: boolean): void {
  const asked = answer;
  answer = undefined;
  set(isHeld ? 'held' : 'over');
  if (isHeld) asked?.resolve();
  else asked?.reject(new EdgeError({ status: 403, code: 'reauthentication_required' }));
}

/** A read as an operator. A refusal shows that operator scopes have expired. */
export async function readAsOperator<T>(answer: Promise<{ data?: T }>): Promise<T> {
  try {
    return await unwrap(answer);
  } catch (error) {
    if (isProblem(error, 'insufficient_scope') && state === 'held') set('over');
    throw error;
  }
}

/** A change as an operator. If operator scopes have expired, it is repeated after a sign-in. */
export async function changeAsOperator<T>(send: () => Promise<{ data?: T }>): Promise<T> {
  try {
    return await unwrap(send());
  } catch (error) {
    if (!isProblem(error, 'insufficient_scope')) throw error;
    await requestElevation();
    return unwrap(send());
  }
}
