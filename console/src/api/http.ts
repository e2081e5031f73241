/** One call to the service. Amounts are asked for as strings, so that no figure ever passes through a double. */
import { syncServerClock } from '../lib/server-clock.ts';
import { ApiError, type ProblemBody } from './problem.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Query = Readonly<Record<string, string | number | undefined>>;

export interface CallOptions {
  readonly query?: Query;
  readonly body?: unknown;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** The answer is a stream that stays open: no time limit. */
  readonly isStream?: boolean;
}

const TIMEOUT_MS = 30_000;

/** Where the service is, for a sign-in page that its operator serves from another origin; else here. */
const SERVICE = document.querySelector<HTMLMetaElement>('meta[name=edge-service]')?.content ?? '';
export const isServiceHere = SERVICE === '';
/** The console, wherever this page is. */
export const CONSOLE_ADDRESS = `${SERVICE}/`;

/** Path and query; parameters without a value are left out. */
export function withQuery(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(name, String(value));
  return search.size > 0 ? `${path}?${search}` : path;
}

async function readProblem(response: Response): Promise<ApiError> {
  const retryAfter = Number(response.headers.get('retry-after'));
  const fallback: ProblemBody = {
    status: response.status,
    code: response.status >= 500 ? 'unavailable' : 'refused',
  };
  const body = (await response.json().catch(() => ({}))) as Partial<ProblemBody>;
  return new ApiError({ ...fallback, ...body }, retryAfter > 0 ? retryAfter : undefined);
}

/** Sends a request and gives the raw answer. @throws ApiError on a refusal or when no answer comes */
export async function send(
  method: Method,
  path: string,
  { query, body, token, headers, signal, isStream = false }: CallOptions = {},
): Promise<Response> {
  const limits = [
    ...(signal ? [signal] : []),
    ...(isStream ? [] : [AbortSignal.timeout(TIMEOUT_MS)]),
  ];
  const isForm = body instanceof URLSearchParams;
  let response: Response;
  try {
    response = await fetch(SERVICE + withQuery(path, query), {
      method,
      headers: {
        prefer: 'amounts=string',
        // The reader's choice, which may be another than the browser's: mails are written in it.
        'accept-language': document.documentElement.lang,
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      signal: AbortSignal.any(limits),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError({ status: 0, code: 'network' });
  }
  syncServerClock(response.headers.get('date'));
  if (!response.ok) throw await readProblem(response);
  return response;
}

/** Sends a request and gives the parsed answer; undefined when there is none. */
export async function call<T>(method: Method, path: string, options?: CallOptions): Promise<T> {
  const response = await send(method, path, options);
  // A line that breaks in the middle of an answer leaves none.
  const text = await response.text().catch((error: unknown) => {
    throw options?.signal?.aborted ? error : new ApiError({ status: 0, code: 'network' });
  });
  return (text === '' ? undefined : JSON.parse(text)) as T;
}
