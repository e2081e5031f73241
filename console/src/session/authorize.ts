/**
 * The console as an OpenID Connect client: authorization code with PKCE. The page follows the
 * redirects, so that the verifier, the code and the tokens stay in this page's memory.
 */
import {
  beginCodeLogin,
  EdgeError,
  followCodeLogin,
  type OAuthOptions,
  type PendingCodeLogin,
  readCallback,
  redeemCode,
} from '@edge-account/sdk';
import { isProblem } from '../api/problem.ts';
import { serverClock } from '../lib/server-clock.ts';
import { CLIENT_ID } from './client-id.ts';

const USER_SCOPES = [
  'openid profile email account:read wallet:write devices:read devices:write',
  'community:read community:write dashboard:read device:connect identity:manage',
].join(' ');

const OAUTH: OAuthOptions = {
  baseUrl: location.origin,
  clientId: CLIENT_ID,
  // The device clock counts while the device sleeps; the page's own may not.
  clock: { now_ms: Date.now, learn: serverClock.learn },
};

export type Flow = PendingCodeLogin;

export interface Tokens {
  readonly accessToken: string;
  readonly subject: string;
  readonly email: string;
  readonly expiresAt_ms: number;
  readonly scopes: ReadonlySet<string>;
  /** The user is an operator; operator scopes are granted after a strong sign-in only. */
  readonly mayOperate: boolean;
}

/** Where the redirects of a flow ended: at the callback with a code, or at the sign-in page. */
export type FlowResult =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'sign-in'; readonly interactionId: string };

export interface FlowOptions {
  /** Requires a new sign-in, even if the user is signed in. */
  readonly isFresh?: boolean;
}

/** The operator's sign-in page is on another origin: the service marks its pages. */
const IS_SIGN_IN_ELSEWHERE = document.querySelector('meta[name=edge-sign-in-elsewhere]') !== null;

function createFlow(prompt?: 'login' | 'none'): Promise<Flow> {
  return beginCodeLogin(OAUTH, `${location.origin}/callback`, {
    scope: USER_SCOPES,
    ...(prompt && { prompt }),
  });
}

/** @throws EdgeError when the service refused the flow */
function readResult(url: URL, flow: Flow): FlowResult {
  if (url.pathname === '/callback')
    return { kind: 'code', code: readCallback(OAUTH, flow, url.href) };
  const interactionId = url.searchParams.get('interaction_id');
  if (interactionId !== null) return { kind: 'sign-in', interactionId };
  throw new EdgeError({ status: 400, code: 'invalid_flow' });
}

/** Follows the redirects from an address of this service. */
async function follow(url: string, flow: Flow): Promise<FlowResult> {
  const end = await followCodeLogin(OAUTH, url).catch((error: unknown) => {
    // The service shows a page without a code: the client or the request is not valid any more.
    if (!isProblem(error, 'refused')) throw error;
    throw new EdgeError({ status: error.status, code: 'invalid_flow' }, undefined, error);
  });
  return readResult(new URL(end), flow);
}

/** Starts a flow. A user who is signed in gets a code at once. */
export async function beginFlow({
  isFresh = false,
}: FlowOptions = {}): Promise<{ flow: Flow; result: FlowResult }> {
  const prompt = isFresh ? 'login' : undefined;
  if (IS_SIGN_IN_ELSEWHERE) return followOrLeave(prompt);
  const flow = await createFlow(prompt);
  return { flow, result: await follow(flow.url, flow) };
}

/**
 * Only the browser itself may follow a redirect to another origin: this page is left, and a new
 * flow starts on return.
 */
async function followOrLeave(
  prompt: 'login' | undefined,
): Promise<{ flow: Flow; result: FlowResult }> {
  if (prompt === undefined) {
    try {
      const flow = await createFlow('none');
      return { flow, result: await follow(flow.url, flow) };
    } catch (error) {
      if (!isProblem(error, 'login_required', 'consent_required', 'interaction_required'))
        throw error;
    }
  }
  location.assign((await createFlow(prompt)).url);
  return new Promise(() => undefined);
}

/** The user who is signed in to the console in this browser, found without a page. */
export async function findSession(): Promise<
  { readonly access_token: string; readonly email: string } | undefined
> {
  const flow = await createFlow('none');
  const result = await follow(flow.url, flow);
  if (result.kind !== 'code') return undefined;
  const { accessToken, email } = await redeemFlow(result.code, flow);
  return { access_token: accessToken, email };
}

/** Continues a flow after the sign-in page. */
export function resumeFlow(redirectTo: string, flow: Flow): Promise<FlowResult> {
  const { pathname, search } = new URL(redirectTo, location.origin);
  return follow(`${pathname}${search}`, flow);
}

/** The claims of a token, for display only: the service decides. */
export function readClaims(accessToken: string): {
  readonly sub: string;
  readonly sid?: string;
  readonly scope?: string;
  readonly email?: string;
  readonly may_operate?: boolean;
} {
  const payload = accessToken.split('.')[1] ?? '';
  return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
}

/** Exchanges the one-time code for tokens. */
export async function redeemFlow(code: string, flow: Flow): Promise<Tokens> {
  const { accessToken, expiresAt_ms } = await redeemCode(OAUTH, flow, code);
  const { sub, email = '', scope = '', may_operate = false } = readClaims(accessToken);
  return {
    accessToken,
    subject: sub,
    email,
    expiresAt_ms,
    scopes: new Set(scope.split(' ')),
    mayOperate: may_operate,
  };
}
