/** Who is signed in, in this page's memory. A reload asks the service again, silently. */
import { type CallOptions, call, type Method, send } from '../api/http.ts';
import { ApiError, isProblem } from '../api/problem.ts';
import {
  type Arrival,
  beginFlow,
  type Flow,
  type FlowOptions,
  redeemCode,
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
      readonly ending: string | undefined;
    }
  | { readonly status: 'signed-in'; readonly tokens: Tokens }
  /** Somebody else is signed in in this browser than the person whose page this was. */
  | { readonly status: 'replaced'; readonly email: string }
  | { readonly status: 'failed'; readonly error: unknown };

/** Renewed this long before the end, so that no call meets an expired token. */
const RENEW_BEFORE_MS = 60_000;

let state: SessionState = { status: 'starting' };
/** Why the session before is over: the first that was heard of it, until somebody is signed in. */
let ending: string | undefined;
/** Whose page this is, or was last; nobody's once a sign-in was asked for. */
let owner: string | undefined;
/** An end that a renewal did not put off: none later is to be had, as the session itself is about to end. */
let lastEnd_ms = 0;
let underway: Promise<void> | undefined;
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

async function settle(arrival: Arrival, flow: Flow): Promise<void> {
  if (arrival.kind === 'sign-in') {
    owner = undefined;
    set({ status: 'sign-in', interactionId: arrival.interactionId, flow, ending });
    return;
  }
  const tokens = await redeemCode(arrival.code, flow);
  ending = undefined;
  if (owner !== undefined && owner !== tokens.subject)
    return set({ status: 'replaced', email: tokens.email });
  owner = tokens.subject;
  set({ status: 'signed-in', tokens });
}

async function begin(options?: FlowOptions): Promise<void> {
  try {
    const { flow, arrival } = await beginFlow(options);
    await settle(arrival, flow);
  } catch (error) {
    set({ status: 'failed', error });
  }
}

/** Signs in, silently where the service still knows the browser. Whoever asks while it is under way shares its outcome. */
export function startSession(): Promise<void> {
  underway ??= begin().finally(() => {
    underway = undefined;
  });
  return underway;
}

export interface Renewal {
  readonly interactionId: string;
  readonly flow: Flow;
}

/** Begins a sign-in anew beside the session, which goes on meanwhile with whatever is on the page. */
export async function beginRenewal(): Promise<Renewal> {
  await underway;
  const { flow, arrival } = await beginFlow({ isFresh: true });
  if (arrival.kind !== 'sign-in') throw new ApiError({ status: 400, code: 'invalid_flow' });
  return { interactionId: arrival.interactionId, flow };
}

/** Takes up what came of it. @throws ApiError, and the session goes on as it was */
export async function finishRenewal(redirectTo: string, flow: Flow): Promise<void> {
  await settle(await resumeFlow(redirectTo, flow), flow);
}

/** Goes on where the sign-in page says. That way and its code serve once: what fails on it begins anew, and is not gone again. */
export async function finishSignIn(redirectTo: string, flow: Flow): Promise<void> {
  try {
    await settle(await resumeFlow(redirectTo, flow), flow);
  } catch (error) {
    set({ status: 'failed', error });
  }
}

/** Begins anew, whatever came of the flow before. */
export async function restartSession(): Promise<void> {
  set({ status: 'starting' });
  await startSession();
}

/** Asks who it is to be, whoever is signed in in this browser. */
export async function changeAccount(): Promise<void> {
  set({ status: 'starting' });
  await begin({ isFresh: true });
}

/** For a token that serves no more: silently, where the person is still signed in. */
async function renewSession(reason: string): Promise<void> {
  ending ??= reason;
  await startSession();
}

/** Whose page it is that asks. @throws ApiError when nobody is signed in: a page that has not gone yet asks for nothing more */
function currentSubject(): string {
  if (state.status !== 'signed-in') throw new ApiError({ status: 401, code: 'invalid_token' });
  return state.tokens.subject;
}

/** What one person began never goes on in the name of another. @throws ApiError when they are not signed in any more */
function tokenOf(subject: string): string {
  if (state.status !== 'signed-in' || state.tokens.subject !== subject)
    throw new ApiError({ status: 401, code: 'invalid_token' });
  return state.tokens.accessToken;
}

const isEnding = ({ expiresAt_ms }: Tokens): boolean => expiresAt_ms - Date.now() < RENEW_BEFORE_MS;

/** Renews a token that is about to end, unless one that ends later is not to be had. */
async function renewInTime(): Promise<void> {
  if (state.status !== 'signed-in') return;
  if (!isEnding(state.tokens) || state.tokens.expiresAt_ms <= lastEnd_ms) return;
  await renewSession('token_expired');
  if (state.status === 'signed-in' && isEnding(state.tokens))
    lastEnd_ms = state.tokens.expiresAt_ms;
}

/** Runs a call with the person's token; a token that the service no longer takes is renewed once. */
async function withToken<T>(subject: string, run: (token: string) => Promise<T>): Promise<T> {
  await renewInTime();
  const token = tokenOf(subject);
  try {
    return await run(token);
  } catch (error) {
    if (!isProblem(error, 'invalid_token', 'token_revoked', 'missing_token')) throw error;
    if (state.status === 'signed-in' && state.tokens.accessToken === token)
      await renewSession(error.problem.reason ?? error.code);
    return run(tokenOf(subject));
  }
}

/** What is read and not answered yet. */
const reads = new Set<AbortController>();
/** Settled once the person who wants to leave has left, or could not. */
let leaving: Promise<void> | undefined;

/** Runs a call that only reads. While somebody leaves nothing is read; what it met is read again if they stay. */
async function read<T>(
  subject: string,
  run: (options: CallOptions) => Promise<T>,
  options: CallOptions,
): Promise<T> {
  await leaving;
  const reading = new AbortController();
  reads.add(reading);
  try {
    const signal = options.signal
      ? AbortSignal.any([options.signal, reading.signal])
      : reading.signal;
    return await withToken(subject, (token) => run({ ...options, token, signal }));
  } catch (error) {
    if (!reading.signal.aborted || options.signal?.aborted) throw error;
  } finally {
    reads.delete(reading);
  }
  return read(subject, run, options);
}

async function asMe<T>(
  method: Method,
  run: (options: CallOptions) => Promise<T>,
  options: CallOptions,
): Promise<T> {
  const subject = currentSubject();
  return method === 'GET'
    ? read(subject, run, options)
    : withToken(subject, (token) => run({ ...options, token }));
}

/** One call in the person's name. */
export function callAsMe<T>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
  return asMe(method, (full) => call<T>(method, path, full), options);
}

/** The same, giving the raw answer: for files and streams. */
export function sendAsMe(
  method: Method,
  path: string,
  options: CallOptions = {},
): Promise<Response> {
  return asMe(method, (full) => send(method, path, full), options);
}

/** The service has ended the session. Calls and streams may have heard of it as well: the sign-in is begun once. */
export async function leaveSession(reason: string): Promise<void> {
  if (state.status !== 'signed-in') return;
  ending ??= reason;
  await restartSession();
}

/** Runs what ends the session by the person's own wish. Whatever is heard of its end meanwhile has this reason. */
export async function leaveBy(reason: string, action: () => Promise<void>): Promise<void> {
  ending = reason;
  let settle: () => void = () => undefined;
  leaving = new Promise((resolve) => {
    settle = resolve;
  });
  // It would be answered with a refusal that is nobody's matter any more.
  for (const reading of reads) reading.abort();
  try {
    await action();
  } catch (error) {
    ending = undefined;
    throw error;
  } finally {
    leaving = undefined;
    settle();
  }
  // The next one to sign in begins at the overview; only who was signed out comes back to where they were.
  history.replaceState(null, '', '/');
  await leaveSession(reason);
}

/** Ends the session on the service, then here. */
export async function signOut(userId: number): Promise<void> {
  await leaveBy('logout', () => callAsMe('POST', '/user/logout', { body: { id: userId } }));
}
