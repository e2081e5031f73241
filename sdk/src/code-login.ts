/** Authorization code with PKCE: for programs that can open a browser. */
import { base64url } from 'jose';
import {
  type LoginRequest,
  type OAuthOptions,
  requestTokens,
  sendRequest,
  type TokenSet,
  toLoginParameters,
} from './oauth.ts';
import { EdgeError, readProblem } from './problem.ts';

/** A sign-in that waits for the redirect of the browser; it can be stored. */
export interface PendingCodeLogin {
  /** Where to send the browser. */
  readonly url: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly verifier: string;
}

export interface CodeLoginRequest extends LoginRequest {
  /** `login`: the user signs in again. `none`: refused instead of showing a page. */
  readonly prompt?: 'login' | 'none';
}

function randomText(): string {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(32)));
}

async function hashVerifier(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return base64url.encode(new Uint8Array(digest));
}

/** Starts an authorization code flow. */
export async function beginCodeLogin(
  options: OAuthOptions,
  redirectUri: string,
  request: CodeLoginRequest,
): Promise<PendingCodeLogin> {
  const [verifier, state] = [randomText(), randomText()];
  const isOffline = request.scope.split(' ').includes('offline_access');
  const prompt = request.prompt ?? (isOffline ? 'consent' : undefined);
  const url = new URL(`${options.baseUrl}/oauth2/authorize`);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: options.clientId,
    redirect_uri: redirectUri,
    ...toLoginParameters(request),
    state,
    code_challenge: await hashVerifier(verifier),
    code_challenge_method: 'S256',
    ...(prompt !== undefined && { prompt }),
    ...(options.key && { dpop_jkt: options.key.thumbprint }),
  }).toString();
  return { url: url.href, redirectUri, state, verifier };
}

/**
 * Follows the redirects of a sign-in within the page, for a page of the service's own origin: the
 * address where they end. @throws EdgeError
 */
export async function followCodeLogin(options: OAuthOptions, url: string): Promise<string> {
  const response = await sendRequest(options, url, {
    credentials: 'same-origin',
    headers: { accept: 'text/html' },
  });
  if (!response.ok) throw await readProblem(response);
  return response.url;
}

/**
 * The code in the address that the browser was redirected to. @throws EdgeError when the address
 * belongs to another sign-in, or is a refusal
 */
export function readCallback(
  options: OAuthOptions,
  pending: PendingCodeLogin,
  callbackUrl: string,
): string {
  const answer = new URL(callbackUrl).searchParams;
  const refusal = (code: string, detail: string) => new EdgeError({ status: 400, code, detail });
  if (answer.get('state') !== pending.state)
    throw refusal('invalid_state', 'The answer belongs to another sign-in.');
  if (answer.has('iss') && answer.get('iss') !== options.baseUrl)
    throw refusal('invalid_issuer', 'The answer comes from another service.');
  const error = answer.get('error');
  if (error !== null)
    throw refusal(error, answer.get('error_description') ?? 'The sign-in was refused.');
  return answer.get('code') ?? '';
}

/** Exchanges the code of a sign-in for its tokens. @throws EdgeError */
export function redeemCode(
  options: OAuthOptions,
  { redirectUri, verifier }: PendingCodeLogin,
  code: string,
): Promise<TokenSet> {
  return requestTokens(options, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
}

/** Completes a sign-in with the address that the browser was redirected to. @throws EdgeError */
export async function finishCodeLogin(
  options: OAuthOptions,
  pending: PendingCodeLogin,
  callbackUrl: string,
): Promise<TokenSet> {
  return redeemCode(options, pending, readCallback(options, pending, callbackUrl));
}
