/** The typed client: every path, parameter and field comes from the service's OpenAPI document. */
import createFetchClient, { type Client, type Middleware } from 'openapi-fetch';
import type { DpopKey, ServerClock } from './dpop.ts';
import { createServerClock } from './dpop.ts';
import type { paths } from './generated/api.ts';
import type { TokenSet } from './oauth.ts';
import { EdgeError, readProblem, rejectHtml, unreachable } from './problem.ts';
import type { TokenSource } from './token-source.ts';

export interface EdgeClientOptions {
  /** Address of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** Absent: only what is open to everybody can be called. */
  readonly tokens?: TokenSource;
  /** Signs the proofs of key-bound tokens. */
  readonly key?: DpopKey;
  readonly clock?: ServerClock;
  readonly fetch?: typeof fetch;
  /** How a program outside a browser names itself, for example `edge-terminal/0.1.0 (Linux)`: people see it of their devices. */
  readonly userAgent?: string;
  readonly timeout_ms?: number;
}

export interface EdgeClient {
  readonly baseUrl: string;
  /** Calls by path, for example `api.GET('/me/devices')`. A refusal is thrown as EdgeError. */
  readonly api: Client<paths>;
  /** The same authentication for anything else. */
  send(request: Request): Promise<Response>;
  /** Headers that authenticate one request, and name the program. */
  authorize(method: string, url: string): Promise<Record<string, string>>;
  /** Gets another token in place of the one that was presented last, and refused. */
  renewToken(): Promise<void>;
}

const TIMEOUT_MS = 30_000;

/**
 * A refusal that says no more than that the token is of no use gives way to what its renewal was told: the sign-in is
 * over, or the service could not be asked, which another try may cure.
 */
async function explainedBy(response: Response, renewal: unknown): Promise<Response> {
  const isOver = renewal instanceof EdgeError && renewal.code === 'signed_out';
  const wasTold = isOver ? renewal.cause instanceof EdgeError : renewal instanceof EdgeError;
  if (wasTold && (await readProblem(response.clone())).code === 'invalid_token') throw renewal;
  return response;
}

function retryable(response: Response): boolean {
  return response.status === 401;
}

export function createEdgeClient(options: EdgeClientOptions): EdgeClient {
  const { baseUrl, tokens, key, clock = createServerClock(), timeout_ms = TIMEOUT_MS } = options;
  const named: Record<string, string> =
    options.userAgent === undefined ? {} : { 'user-agent': options.userAgent };
  const rawFetch = options.fetch ?? ((input: Request) => fetch(input));

  /** What was presented last. */
  let presented: string | undefined;

  async function headersFor(
    tokenSet: TokenSet,
    method: string,
    url: string,
  ): Promise<Record<string, string>> {
    const { accessToken: token, tokenType } = tokenSet;
    presented = token;
    if (tokenType === 'Bearer') return { ...named, authorization: `Bearer ${token}` };
    if (!key) throw new TypeError('the token is bound to a key, and there is no key');
    return {
      ...named,
      authorization: `DPoP ${token}`,
      dpop: await key.sign({ method, url, token }),
    };
  }

  async function sendOnce(request: Request, tokenSet: TokenSet | undefined): Promise<Response> {
    const headers = new Headers(request.headers);
    const added = tokenSet ? await headersFor(tokenSet, request.method, request.url) : named;
    for (const [name, value] of Object.entries(added)) headers.set(name, value);
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeout_ms)]);
    const response = await rawFetch(new Request(request, { headers, signal })).catch(
      (error: unknown) => {
        throw unreachable(error);
      },
    );
    rejectHtml(response);
    clock.learn(response);
    return response;
  }

  /** Sends with a token; once more with another one, or a proof by the right clock, when it was refused. */
  async function send(request: Request): Promise<Response> {
    if (!tokens) return sendOnce(request, undefined);
    const first = await tokens.get();
    const copy = request.clone();
    const response = await sendOnce(request, first);
    if (!retryable(response)) return response;
    const isProof =
      response.headers.get('www-authenticate')?.includes('invalid_dpop_proof') ?? false;
    if (isProof) return sendOnce(copy, first);
    const renewal = await tokens.renew(first.accessToken).catch((error: unknown) => ({ error }));
    return 'error' in renewal ? explainedBy(response, renewal.error) : sendOnce(copy, renewal);
  }

  const api = createFetchClient<paths>({
    baseUrl,
    fetch: send,
    headers: { prefer: 'amounts=string' },
  });
  const throwProblems: Middleware = {
    async onResponse({ response }) {
      if (!response.ok) throw await readProblem(response);
    },
  };
  api.use(throwProblems);
  return {
    baseUrl,
    api,
    send,
    async authorize(method, url) {
      return tokens ? headersFor(await tokens.get(), method, url) : named;
    },
    async renewToken() {
      if (tokens) await tokens.renew(presented ?? (await tokens.get()).accessToken);
    },
  };
}

/** The body of an answer: `await bodyOf(client.api.GET('/me/devices'))`. */
export async function bodyOf<T>(answer: Promise<{ data?: T }>): Promise<T> {
  return (await answer).data as T;
}
