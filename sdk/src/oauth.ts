/** Requests to the token endpoint, and revocation. */
import type { DpopKey } from './dpop.ts';
import { EdgeError, readProblem, rejectHtml, unreachable } from './problem.ts';
import type { ServerClock } from './server-clock.ts';

export interface TokenSet {
  readonly accessToken: string;
  readonly tokenType: 'Bearer' | 'DPoP';
  readonly refreshToken?: string;
  readonly scope: string;
  /** By the service's clock. */
  readonly expiresAt_ms: number;
}

export interface OAuthOptions {
  /** Address of the service, without a trailing slash. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  /** Binds the tokens to this key. */
  readonly key?: DpopKey;
  readonly clock: ServerClock;
  readonly fetch?: typeof fetch;
  /** Product and version of a program outside a browser. The user sees it before approval. */
  readonly userAgent?: string;
}

interface TokenResponse {
  readonly access_token: string;
  readonly token_type: string;
  readonly refresh_token?: string;
  readonly expires_in: number;
  readonly scope?: string;
}

const TIMEOUT_MS = 30_000;

/** Sends one request of a sign-in, with a limit of time. @throws EdgeError without a response */
export function sendRequest(
  options: OAuthOptions,
  url: string,
  init: RequestInit,
): Promise<Response> {
  const send = options.fetch ?? fetch;
  return send(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error: unknown) => {
    throw unreachable(error);
  });
}

async function post(
  options: OAuthOptions,
  path: string,
  form: Record<string, string>,
): Promise<Response> {
  const url = `${options.baseUrl}${path}`;
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  };
  if (options.userAgent !== undefined) headers['user-agent'] = options.userAgent;
  if (options.key) headers.dpop = await options.key.sign({ method: 'POST', url });
  if (options.clientSecret !== undefined) {
    const credentials = [options.clientId, options.clientSecret].map(encodeURIComponent).join(':');
    headers.authorization = `Basic ${btoa(credentials)}`;
  } else form.client_id = options.clientId;
  const body = new URLSearchParams(form);
  const response = await sendRequest(options, url, { method: 'POST', headers, body });
  rejectHtml(response);
  options.clock.learn(response);
  if (!response.ok) throw await readProblem(response);
  return response;
}

/** Sends a form to an OAuth endpoint, and returns the parsed answer. @throws EdgeError */
export async function requestJson(
  options: OAuthOptions,
  path: string,
  form: Record<string, string>,
): Promise<unknown> {
  return (await post(options, path, form)).json();
}

/** Requests tokens for a grant. @throws EdgeError */
export async function requestTokens(
  options: OAuthOptions,
  form: Record<string, string>,
): Promise<TokenSet> {
  let answer: TokenResponse;
  try {
    answer = (await requestJson(options, '/oauth2/token', form)) as TokenResponse;
  } catch (error) {
    // The clock was wrong; the refusal has corrected it.
    if (!(error instanceof EdgeError) || error.code !== 'invalid_dpop_proof') throw error;
    answer = (await requestJson(options, '/oauth2/token', form)) as TokenResponse;
  }
  return {
    accessToken: answer.access_token,
    tokenType: answer.token_type === 'DPoP' ? 'DPoP' : 'Bearer',
    scope: answer.scope ?? '',
    expiresAt_ms: options.clock.now_ms() + answer.expires_in * 1000,
    ...(answer.refresh_token !== undefined && { refreshToken: answer.refresh_token }),
  };
}

export function refreshTokens(options: OAuthOptions, refreshToken: string): Promise<TokenSet> {
  return requestTokens(options, { grant_type: 'refresh_token', refresh_token: refreshToken });
}

/** Signs out (RFC 7009): revokes the token and all tokens of the same sign-in. */
export async function revokeToken(options: OAuthOptions, token: string): Promise<void> {
  await post(options, '/oauth2/revoke', { token });
}

/** Client credentials, for clients of the operator. */
export function requestClientTokens(options: OAuthOptions, scope?: string): Promise<TokenSet> {
  return requestTokens(options, {
    grant_type: 'client_credentials',
    ...(scope !== undefined && { scope }),
  });
}

/** Exchanges a user's access token for a device token (RFC 8693). */
export function exchangeToken(
  options: OAuthOptions,
  accessToken: string,
  scope?: string,
): Promise<TokenSet> {
  return requestTokens(options, {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: accessToken,
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    ...(scope !== undefined && { scope }),
  });
}

/** What a program asks of the user. */
export interface LoginRequest {
  readonly scope: string;
  /** Categories of traffic that the device would carry. */
  readonly categories?: readonly string[];
}

/** The parameters of a login request, as OAuth endpoints take them. */
export function toLoginParameters({
  scope,
  categories = [],
}: LoginRequest): Record<string, string> {
  return { scope, ...(categories.length > 0 && { device_categories: categories.join(',') }) };
}
