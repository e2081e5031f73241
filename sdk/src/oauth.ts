/** How a device or a program comes to tokens: device flow, or authorization code with PKCE; then refresh. */
import { base64url } from 'jose';
import type { DpopKey, ServerClock } from './dpop.ts';
import { EdgeError, readProblem, rejectHtml, unreachable } from './problem.ts';

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
  /** How a program outside a browser names itself: whoever lets a device in sees it. */
  readonly userAgent?: string;
}

interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: string;
  readonly refresh_token?: string;
  readonly expires_in: number;
  readonly scope?: string;
}

const TIMEOUT_MS = 30_000;
/** RFC 8628: the interval unless the service says another, and what `slow_down` adds to it. */
const SLOWER_S = 5;
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

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
  if (options.clientSecret !== undefined)
    headers.authorization = `Basic ${btoa(`${encodeURIComponent(options.clientId)}:${encodeURIComponent(options.clientSecret)}`)}`;
  else form.client_id = options.clientId;
  const send = options.fetch ?? fetch;
  const response = await send(url, {
    method: 'POST',
    headers,
    body: new URLSearchParams(form),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw unreachable(error);
  });
  rejectHtml(response);
  options.clock.learn(response);
  if (!response.ok) throw await readProblem(response);
  return response;
}

async function ask(
  options: OAuthOptions,
  path: string,
  form: Record<string, string>,
): Promise<unknown> {
  return (await post(options, path, form)).json();
}

async function requestTokens(
  options: OAuthOptions,
  form: Record<string, string>,
): Promise<TokenSet> {
  let answer: TokenAnswer;
  try {
    answer = (await ask(options, '/oauth2/token', form)) as TokenAnswer;
  } catch (error) {
    // The proof was made by a wrong clock; the answer brought the right time.
    if (!(error instanceof EdgeError) || error.code !== 'invalid_dpop_proof') throw error;
    answer = (await ask(options, '/oauth2/token', form)) as TokenAnswer;
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

/** Signs out (RFC 7009): the service takes back the token, and everything that came of the same sign-in. */
export async function revokeToken(options: OAuthOptions, token: string): Promise<void> {
  await post(options, '/oauth2/revoke', { token });
}

/** For operators' clients. */
export function requestClientTokens(options: OAuthOptions, scope?: string): Promise<TokenSet> {
  return requestTokens(options, {
    grant_type: 'client_credentials',
    ...(scope !== undefined && { scope }),
  });
}

/** A person's access token becomes a device token (RFC 8693). */
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

// Device flow (RFC 8628): for devices without a browser.

export interface DeviceLogin {
  /** What the person types where they are signed in. */
  readonly userCode: string;
  readonly verificationUri: string;
  /** The same with the code in it: for a QR code. */
  readonly verificationUriComplete: string;
  readonly expiresIn_s: number;
  /** Resolves once the person has decided. @throws EdgeError `access_denied`, `expired_token` */
  wait(signal?: AbortSignal): Promise<TokenSet>;
}

interface DeviceAnswer {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete?: string;
  readonly expires_in: number;
  readonly interval?: number;
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** How long to wait before the next question, after one that brought no tokens; undefined when there is none to ask. */
function intervalAfter(
  { code, status, retryAfter_s = 0 }: EdgeError,
  interval_s: number,
): number | undefined {
  if (code === 'slow_down') return interval_s + SLOWER_S;
  if (status === 429) return Math.max(interval_s, retryAfter_s);
  return code === 'authorization_pending' || status === 0 || status >= 500 ? interval_s : undefined;
}

async function pollForTokens(
  options: OAuthOptions,
  answer: DeviceAnswer,
  signal?: AbortSignal,
): Promise<TokenSet> {
  const endsAt_ms = performance.now() + answer.expires_in * 1000;
  let interval_s = answer.interval ?? SLOWER_S;
  while (performance.now() < endsAt_ms) {
    await sleep(interval_s * 1000, signal);
    try {
      return await requestTokens(options, {
        grant_type: DEVICE_GRANT,
        device_code: answer.device_code,
      });
    } catch (error) {
      if (!(error instanceof EdgeError)) throw error;
      // The service forgets a code that has expired, and then knows of no such grant.
      if (error.code === 'invalid_grant') break;
      const next_s = intervalAfter(error, interval_s);
      if (next_s === undefined) throw error;
      interval_s = next_s;
    }
  }
  throw new EdgeError({
    status: 400,
    code: 'expired_token',
    detail: 'The code has expired: nobody confirmed it in time.',
  });
}

/** What a device asks of its owner. */
export interface LoginRequest {
  readonly scope: string;
  /** Categories of traffic that it would carry. */
  readonly categories?: readonly string[];
}

function parametersOf({ scope, categories = [] }: LoginRequest): Record<string, string> {
  return { scope, ...(categories.length > 0 && { device_categories: categories.join(',') }) };
}

/** Begins the device flow. */
export async function startDeviceLogin(
  options: OAuthOptions,
  request: LoginRequest,
): Promise<DeviceLogin> {
  const answer = (await ask(
    options,
    '/oauth2/device_authorization',
    parametersOf(request),
  )) as DeviceAnswer;
  return {
    userCode: answer.user_code,
    verificationUri: answer.verification_uri,
    verificationUriComplete: answer.verification_uri_complete ?? answer.verification_uri,
    expiresIn_s: answer.expires_in,
    wait: (signal) => pollForTokens(options, answer, signal),
  };
}

// Authorization code with PKCE: for programs that can open a browser.

/** A sign-in that waits for the browser to come back; it can be stored meanwhile. */
export interface PendingCodeLogin {
  /** Where to send the browser. */
  readonly url: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly verifier: string;
}

function randomText(): string {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(32)));
}

/** Begins an authorization code flow. */
export async function beginCodeLogin(
  options: OAuthOptions,
  redirectUri: string,
  request: LoginRequest,
): Promise<PendingCodeLogin> {
  const [verifier, state] = [randomText(), randomText()];
  const challenge = base64url.encode(
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))),
  );
  const url = new URL(`${options.baseUrl}/oauth2/authorize`);
  const parameters = {
    response_type: 'code',
    client_id: options.clientId,
    redirect_uri: redirectUri,
    ...parametersOf(request),
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...(request.scope.split(' ').includes('offline_access') && { prompt: 'consent' }),
    ...(options.key && { dpop_jkt: options.key.thumbprint }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url: url.href, redirectUri, state, verifier };
}

/** Takes the address that the browser came back to. @throws EdgeError when it is not the answer to this sign-in, or a refusal */
export async function finishCodeLogin(
  options: OAuthOptions,
  { redirectUri, state, verifier }: PendingCodeLogin,
  callbackUrl: string,
): Promise<TokenSet> {
  const answer = new URL(callbackUrl).searchParams;
  const refuse = (code: string, detail: string) => new EdgeError({ status: 400, code, detail });
  if (answer.get('state') !== state)
    throw refuse('invalid_state', 'The answer belongs to another sign-in.');
  if (answer.has('iss') && answer.get('iss') !== options.baseUrl)
    throw refuse('invalid_issuer', 'The answer comes from another service.');
  const error = answer.get('error');
  if (error !== null)
    throw refuse(error, answer.get('error_description') ?? 'The sign-in was refused.');
  const grant = {
    grant_type: 'authorization_code',
    code: answer.get('code') ?? '',
    redirect_uri: redirectUri,
    code_verifier: verifier,
  };
  return requestTokens(options, grant);
}
