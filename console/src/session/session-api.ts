/** The API as the signed-in user. */
import {
  createEdgeClient,
  type Send,
  type TokenSet,
  type TokenSource,
  unwrap,
} from '@edge-account/sdk';
import { CLIENT_OPTIONS } from '../api/client.ts';
import { readClaims, type Tokens } from './authorize.ts';
import {
  currentSubject,
  leaveSession,
  renewInTime,
  replaceTokens,
  setEndReason,
  tokensOf,
} from './session.ts';

function toTokenSet({ accessToken, expiresAt_ms }: Tokens): TokenSet {
  return { accessToken, tokenType: 'Bearer', scope: '', expiresAt_ms };
}

const sessionTokens: TokenSource = {
  async get() {
    const subject = currentSubject();
    await renewInTime();
    return toTokenSet(tokensOf(subject));
  },
  async renew(refused, refusal) {
    await replaceTokens(refused, refusal?.problem.reason ?? refusal?.code ?? 'invalid_token');
    return toTokenSet(tokensOf(readClaims(refused).sub));
  },
};

/** Reads without a response. */
const pendingReads = new Set<AbortController>();
/** Settled when the user has left, or could not. */
let leaving: Promise<void> | undefined;

/** Settled when the event stream was asked for again, after the page was offline. */
let reconnected: PromiseWithResolvers<void> | undefined;
const EVENTS_PATH = '/me/events';

/**
 * After a time offline, the event stream is the first to be asked for: if the session has ended
 * meanwhile, one request learns of it, and no read is refused beside it. Reads under way are sent
 * again afterwards.
 */
export function holdReads(): void {
  reconnected ??= Promise.withResolvers<void>();
  for (const read of pendingReads) read.abort();
}

/** @returns whether they were held */
export function releaseReads(): boolean {
  const wereHeld = reconnected !== undefined;
  reconnected?.resolve();
  reconnected = undefined;
  return wereHeld;
}

/**
 * While the user leaves, reads are aborted: the service would refuse them. If the user stays after
 * all, they are sent again.
 */
async function sendUnlessLeaving(request: Request, send: Send): Promise<Response> {
  if (request.method !== 'GET') return send(request);
  const subject = currentSubject();
  await leaving;
  if (new URL(request.url).pathname !== EVENTS_PATH) await reconnected?.promise;
  tokensOf(subject);
  const abort = new AbortController();
  pendingReads.add(abort);
  try {
    const signal = AbortSignal.any([request.signal, abort.signal]);
    return await send(new Request(request, { signal }));
  } catch (error) {
    if (!abort.signal.aborted || request.signal.aborted) throw error;
  } finally {
    pendingReads.delete(abort);
  }
  return sendUnlessLeaving(request, send);
}

export const sessionClient = createEdgeClient({
  ...CLIENT_OPTIONS,
  tokens: sessionTokens,
  intercept: sendUnlessLeaving,
});

/** Operations as the signed-in user. */
export const { api } = sessionClient;

/** Runs an action that ends the session by the user's choice. */
export async function endSessionBy(reason: string, action: () => Promise<unknown>): Promise<void> {
  setEndReason(reason);
  const left = Promise.withResolvers<void>();
  leaving = left.promise;
  for (const read of pendingReads) read.abort();
  try {
    await action();
  } catch (error) {
    setEndReason(undefined);
    throw error;
  } finally {
    leaving = undefined;
    left.resolve();
  }
  // The next sign-in starts at the overview; only a session that expired returns to its page.
  history.replaceState(null, '', '/');
  await leaveSession(reason);
}

/** Ends the session on the service, then here. */
export async function signOut(userId: number): Promise<void> {
  await endSessionBy('logout', () => unwrap(api.POST('/user/logout', { body: { id: userId } })));
}
