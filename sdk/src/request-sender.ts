/** Sends requests with a token, a proof of the key and common headers. */
import type { DpopKey } from './dpop.ts';
import type { TokenSet } from './oauth.ts';
import { EdgeError, readProblem, rejectHtml, unreachable } from './problem.ts';
import { createServerClock, type ServerClock } from './server-clock.ts';
import type { TokenSource } from './token-source.ts';

export type Send = (request: Request) => Promise<Response>;
type HeaderValues = Readonly<Record<string, string>>;

export interface SenderOptions {
  /** Absent: only operations without authentication can be called. */
  readonly tokens?: TokenSource;
  /** Signs the proofs of key-bound tokens. */
  readonly key?: DpopKey;
  readonly clock?: ServerClock;
  readonly fetch?: typeof fetch;
  /**
   * Product and version of a program outside a browser, for example `edge-terminal/0.1.0 (Linux)`.
   * The console shows it beside the program's devices.
   */
  readonly userAgent?: string;
  /** Limit of a request and its response; event streams and CSV exports have none. */
  readonly timeout_ms?: number;
  /** Further headers, computed for each request: for example the user's language. */
  readonly headers?: () => HeaderValues;
  /** Wraps each request; may delay, abort or repeat it. */
  readonly intercept?: (request: Request, send: Send) => Promise<Response>;
}

export interface RequestSender {
  /** Sends once more with a renewed token, or a corrected proof, when the first is refused. */
  send: Send;
  /** Headers that authenticate one request. */
  authorize(method: string, url: string): Promise<HeaderValues>;
  /** Replaces the token that was sent last. */
  renewToken(): Promise<void>;
}

const TIMEOUT_MS = 30_000;
/** Responses whose duration has no limit, by the requested media type. */
const STREAMED = /^text\/(event-stream|csv)/;
/** Codes of 401 that another token may cure. Others mean a wrong password or code. */
const TOKEN_REFUSALS: ReadonlySet<string> = new Set([
  'missing_token',
  'invalid_token',
  'token_revoked',
]);

function isRefusedProof(response: Response): boolean {
  return response.headers.get('www-authenticate')?.includes('invalid_dpop_proof') ?? false;
}

/**
 * The result of a refused request whose token could not be renewed. A plain `invalid_token` is
 * replaced by the reason why the renewal failed: signed out, or the service is not reachable.
 */
function explainRefusal(response: Response, refusal: EdgeError, renewal: unknown): Response {
  const isSignedOut = renewal instanceof EdgeError && renewal.code === 'signed_out';
  const isExplained = isSignedOut
    ? renewal.cause instanceof EdgeError
    : renewal instanceof EdgeError;
  if (isExplained && refusal.code === 'invalid_token') throw renewal;
  return response;
}

/** What proves that the sender may use a token. */
async function authorize(
  { tokenType, accessToken: token }: TokenSet,
  key: SenderOptions['key'],
  method: string,
  url: string,
): Promise<HeaderValues> {
  if (tokenType === 'Bearer') return { authorization: `Bearer ${token}` };
  if (!key) throw new Error('the token is bound to a key, and there is no key');
  return { authorization: `DPoP ${token}`, dpop: await key.sign({ method, url, token }) };
}

/** The request's own headers, and others. */
function withHeaders(request: Request, added: HeaderValues): Headers {
  const headers = new Headers(request.headers);
  for (const [name, value] of Object.entries(added)) headers.set(name, value);
  return headers;
}

export function createRequestSender(options: SenderOptions): RequestSender {
  const { tokens, key, clock = createServerClock(), timeout_ms = TIMEOUT_MS } = options;
  const rawFetch = options.fetch ?? ((input: Request) => fetch(input));
  let lastSent: string | undefined;

  async function headersFor(
    method: string,
    url: string,
    token: TokenSet | undefined,
  ): Promise<HeaderValues> {
    const common: HeaderValues = {
      ...(options.userAgent !== undefined && { 'user-agent': options.userAgent }),
      ...options.headers?.(),
    };
    if (!token) return common;
    lastSent = token.accessToken;
    return { ...common, ...(await authorize(token, key, method, url)) };
  }

  async function sendOnce(request: Request, token?: TokenSet): Promise<Response> {
    const headers = withHeaders(request, await headersFor(request.method, request.url, token));
    const signal = STREAMED.test(headers.get('accept') ?? '')
      ? request.signal
      : AbortSignal.any([request.signal, AbortSignal.timeout(timeout_ms)]);
    const response = await rawFetch(new Request(request, { headers, signal })).catch(
      (error: unknown) => {
        if (request.signal.aborted && request.signal.reason?.name !== 'TimeoutError') throw error;
        throw unreachable(error);
      },
    );
    rejectHtml(response);
    clock.learn(response);
    return response;
  }

  async function sendWithToken(request: Request): Promise<Response> {
    if (!tokens) return sendOnce(request);
    const first = await tokens.get();
    const copy = request.clone();
    const response = await sendOnce(request, first);
    if (response.status !== 401) return response;
    // The response has corrected the clock.
    if (isRefusedProof(response)) return sendOnce(copy, first);
    const refusal = await readProblem(response.clone());
    if (!TOKEN_REFUSALS.has(refusal.code)) return response;
    const renewal = await tokens
      .renew(first.accessToken, refusal)
      .catch((error: unknown) => ({ error }));
    return 'error' in renewal
      ? explainRefusal(response, refusal, renewal.error)
      : sendOnce(copy, renewal);
  }

  return {
    send: (request) =>
      options.intercept ? options.intercept(request, sendWithToken) : sendWithToken(request),
    authorize: async (method, url) => headersFor(method, url, await tokens?.get()),
    async renewToken() {
      if (tokens) await tokens.renew(lastSent ?? (await tokens.get()).accessToken);
    },
  };
}
