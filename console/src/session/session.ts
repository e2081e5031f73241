/** The signed-in user, in this page's memory. A reload asks the service again, without a page. */
import { EdgeError } from '@edge-account/sdk';
import {
  beginFlow,
  type Flow,
  type FlowOptions,
  type FlowResult,
  redeemFlow,
  resumeFlow,
  type Tokens,
} from './authorize.ts';
import { rememberSignIn } from './session-hint.ts';

export type SessionState =
  | { readonly status: 'starting' }
  | {
      readonly status: 'sign-in';
      readonly interactionId: string;
      readonly flow: Flow;
      readonly endReason: string | undefined;
    }
  | { readonly status: 'signed-in'; readonly tokens: Tokens }
  /** Another user signed in in this browser than the one of this page. */
  | { readonly status: 'replaced'; readonly email: string }
  | { readonly status: 'failed'; readonly error: unknown };

/** Renewed this long before it expires, so that no request is sent with an expired token. */
const RENEW_BEFORE_MS = 60_000;

let state: SessionState = { status: 'starting' };
/** Why the last session ended: the first reason that was received, until the next sign-in. */
let endReason: string | undefined;
/** The user of this page; undefined once the page asks for a sign-in. */
let ownerSubject: string | undefined;
/** The latest possible expiry: the session itself ends then, and no token expires later. */
let lastExpiry_ms = 0;
let pendingStart: Promise<void> | undefined;
const listeners = new Set<() => void>();

function set(next: SessionState): void {
  state = next;
  if (next.status === 'signed-in' || next.status === 'sign-in')
    rememberSignIn(next.status === 'signed-in');
  for (const listener of listeners) listener();
}

export function readSession(): SessionState {
  return state;
}

export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

async function completeFlow(result: FlowResult, flow: Flow): Promise<void> {
  if (result.kind === 'sign-in') {
    ownerSubject = undefined;
    set({ status: 'sign-in', interactionId: result.interactionId, flow, endReason });
    return;
  }
  const tokens = await redeemFlow(result.code, flow);
  endReason = undefined;
  if (ownerSubject !== undefined && ownerSubject !== tokens.subject)
    return set({ status: 'replaced', email: tokens.email });
  ownerSubject = tokens.subject;
  set({ status: 'signed-in', tokens });
}

async function begin(options?: FlowOptions): Promise<void> {
  try {
    const { flow, result } = await beginFlow(options);
    await completeFlow(result, flow);
  } catch (error) {
    set({ status: 'failed', error });
  }
}

/** Signs in, without a page where the browser's session allows it. Concurrent calls share one. */
export function startSession(): Promise<void> {
  pendingStart ??= begin().finally(() => {
    pendingStart = undefined;
  });
  return pendingStart;
}

export interface Renewal {
  readonly interactionId: string;
  readonly flow: Flow;
}

/** Starts another sign-in of the same user, while the session and its page continue. */
export async function beginRenewal(): Promise<Renewal> {
  await pendingStart;
  const { flow, result } = await beginFlow({ isFresh: true });
  if (result.kind !== 'sign-in') throw new EdgeError({ status: 400, code: 'invalid_flow' });
  return { interactionId: result.interactionId, flow };
}

/** Completes it. @throws EdgeError, and the session stays as it was */
export async function finishRenewal(redirectTo: string, flow: Flow): Promise<void> {
  await completeFlow(await resumeFlow(redirectTo, flow), flow);
}

/**
 * Continues at the address that the sign-in page returned. The address and its code can be used
 * once: after a failure the flow starts again.
 */
export async function finishSignIn(redirectTo: string, flow: Flow): Promise<void> {
  try {
    await completeFlow(await resumeFlow(redirectTo, flow), flow);
  } catch (error) {
    set({ status: 'failed', error });
  }
}

/** Starts again, whatever the state. */
export async function restartSession(): Promise<void> {
  set({ status: 'starting' });
  await startSession();
}

/** Asks for a sign-in, also when a user is signed in. */
export async function changeAccount(): Promise<void> {
  set({ status: 'starting' });
  await begin({ isFresh: true });
}

/** The user of a request. @throws EdgeError when none is signed in */
export function currentSubject(): string {
  if (state.status !== 'signed-in') throw new EdgeError({ status: 401, code: 'signed_out' });
  return state.tokens.subject;
}

/**
 * The tokens of a user: no request of one user is sent with a token of another. @throws EdgeError
 * when the user is no longer signed in
 */
export function tokensOf(subject: string): Tokens {
  if (state.status !== 'signed-in' || state.tokens.subject !== subject)
    throw new EdgeError({ status: 401, code: 'signed_out' });
  return state.tokens;
}

const isExpiring = ({ expiresAt_ms }: Tokens): boolean =>
  expiresAt_ms - Date.now() < RENEW_BEFORE_MS;

/** Renews a token that is about to expire, unless no later one can be had. */
export async function renewInTime(): Promise<void> {
  if (state.status !== 'signed-in') return;
  if (!isExpiring(state.tokens) || state.tokens.expiresAt_ms <= lastExpiry_ms) return;
  await replaceTokens(state.tokens.accessToken, 'token_expired');
  if (state.status === 'signed-in' && isExpiring(state.tokens))
    lastExpiry_ms = state.tokens.expiresAt_ms;
}

/** Replaces a token that is not accepted any more, unless that was done already. */
export async function replaceTokens(refused: string, reason: string): Promise<void> {
  if (state.status !== 'signed-in' || state.tokens.accessToken !== refused) return;
  endReason ??= reason;
  await startSession();
}

/** The reason that is shown after the session, once the user ends it; undefined takes it back. */
export function setEndReason(reason: string | undefined): void {
  endReason = reason;
}

/** The service has ended the session. The first of several notices starts the sign-in. */
export async function leaveSession(reason: string): Promise<void> {
  if (state.status !== 'signed-in') return;
  endReason ??= reason;
  await restartSession();
}
