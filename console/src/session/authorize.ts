/**
 * The console as an OpenID Connect client: authorization code with PKCE, like any other client. The flow's redirects
 * are followed by `fetch`, so that the verifier, the code and the tokens never leave this page's memory.
 */
import { call } from '../api/http.ts';
import { ApiError, isProblem } from '../api/problem.ts';
import { CLIENT_ID } from './client-id.ts';

const PEOPLE_SCOPES =
  'openid profile email account:read wallet:write devices:read devices:write community:read community:write dashboard:read device:connect identity:manage';

const VERIFIER_BYTES = 48;
const TIMEOUT_MS = 30_000;

/** What this page alone knows of a flow that it began. */
export interface Flow {
  readonly verifier: string;
  readonly state: string;
}

export interface Tokens {
  readonly accessToken: string;
  /** Whose they are. */
  readonly subject: string;
  readonly email: string;
  readonly expiresAt_ms: number;
  readonly scopes: ReadonlySet<string>;
  /** The person is an operator; the scopes for it come with a strong sign-in only. */
  readonly mayOperate: boolean;
}

/** Where a flow arrived: with a code, or at the sign-in page. */
export type Arrival =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'sign-in'; readonly interactionId: string };

export interface FlowOptions {
  /** Asks the person to prove themselves again, though they are signed in. */
  readonly isFresh?: boolean;
}

/** The operator has a sign-in page of their own, on another origin: the service says so in its page. */
const IS_SIGN_IN_ELSEWHERE = document.querySelector('meta[name=edge-sign-in-elsewhere]') !== null;

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function randomText(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(VERIFIER_BYTES)));
}

function redirectUri(): string {
  return `${location.origin}/callback`;
}

async function authorizationUrl(flow: Flow, prompt?: 'login' | 'none'): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(flow.verifier));
  const search = new URLSearchParams({
    client_id: CLIENT_ID,
    redirect_uri: redirectUri(),
    response_type: 'code',
    scope: PEOPLE_SCOPES,
    state: flow.state,
    code_challenge: toBase64Url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
    ...(prompt && { prompt }),
  });
  return `/oauth2/authorize?${search}`;
}

/** Reads where the redirects ended. @throws ApiError when the service refused the flow */
function readArrival(url: URL, flow: Flow): Arrival {
  const { searchParams: search } = url;
  if (url.pathname === '/callback') {
    const code = search.get('code');
    if (code !== null && search.get('state') === flow.state) return { kind: 'code', code };
    throw new ApiError({
      status: 400,
      code: search.get('error') ?? 'invalid_flow',
      detail: search.get('error_description') ?? '',
    });
  }
  const interactionId = search.get('interaction_id');
  if (interactionId !== null) return { kind: 'sign-in', interactionId };
  throw new ApiError({ status: 400, code: 'invalid_flow' });
}

/** Follows the redirects from an address of this service. */
async function follow(url: string, flow: Flow): Promise<Arrival> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, {
    credentials: 'same-origin',
    headers: { accept: 'text/html' },
    signal,
  }).catch(() => {
    throw new ApiError({ status: 0, code: 'network' });
  });
  if (!response.ok)
    throw new ApiError({
      status: response.status,
      code: response.status >= 500 ? 'unavailable' : 'invalid_flow',
    });
  return readArrival(new URL(response.url), flow);
}

/** Begins a flow. A person who is signed in already arrives with a code at once. */
export async function beginFlow({
  isFresh = false,
}: FlowOptions = {}): Promise<{ flow: Flow; arrival: Arrival }> {
  const flow = { verifier: randomText(), state: randomText() };
  const prompt = isFresh ? 'login' : undefined;
  if (IS_SIGN_IN_ELSEWHERE) return { flow, arrival: await arriveOrLeave(flow, prompt) };
  return { flow, arrival: await follow(await authorizationUrl(flow, prompt), flow) };
}

/** To a page of another origin only the browser itself may follow: the page is left, and the flow begins anew on return. */
async function arriveOrLeave(flow: Flow, prompt: 'login' | undefined): Promise<Arrival> {
  if (prompt === undefined) {
    try {
      return await follow(await authorizationUrl(flow, 'none'), flow);
    } catch (error) {
      if (!isProblem(error, 'login_required', 'consent_required', 'interaction_required'))
        throw error;
    }
  }
  location.assign(await authorizationUrl(flow, prompt));
  return new Promise(() => undefined);
}

/** Who is signed in to the console in this browser, without asking anybody anything. */
export async function findSession(): Promise<
  { readonly access_token: string; readonly email: string } | undefined
> {
  const flow = { verifier: randomText(), state: randomText() };
  const arrival = await follow(await authorizationUrl(flow, 'none'), flow);
  if (arrival.kind !== 'code') return undefined;
  const { accessToken, email } = await redeemCode(arrival.code, flow);
  return { access_token: accessToken, email };
}

/** Goes on with a flow after the sign-in page. */
export function resumeFlow(redirectTo: string, flow: Flow): Promise<Arrival> {
  const url = new URL(redirectTo, location.origin);
  return follow(`${url.pathname}${url.search}`, flow);
}

/** What the token says, an operator's scopes among it. The console trusts it for display, the service decides. */
function claimsOf(accessToken: string): {
  readonly sub: string;
  readonly scope?: string;
  readonly email?: string;
  readonly may_operate?: boolean;
} {
  const payload = accessToken.split('.')[1] ?? '';
  return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
}

interface TokenAnswer {
  readonly access_token: string;
  readonly expires_in: number;
}

/** Redeems the one-time code. */
export async function redeemCode(code: string, flow: Flow): Promise<Tokens> {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: CLIENT_ID,
    redirect_uri: redirectUri(),
    code,
    code_verifier: flow.verifier,
  });
  const answer = await call<TokenAnswer>('POST', '/oauth2/token', { body });
  const { sub, email = '', scope = '', may_operate = false } = claimsOf(answer.access_token);
  return {
    accessToken: answer.access_token,
    subject: sub,
    email,
    expiresAt_ms: Date.now() + answer.expires_in * 1000,
    scopes: new Set(scope.split(' ')),
    mayOperate: may_operate,
  };
}
