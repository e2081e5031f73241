/** How libraries send requests: through the service's guarded client. */
import type { Outgoing } from './outbound-client.ts';

/** Headers of an answer that the libraries read. */
const HEADERS_READ = ['content-type', 'cache-control', 'expires', 'www-authenticate'];

interface FetchOptions {
  readonly method?: string;
  readonly headers?: ConstructorParameters<typeof Headers>[0];
  /** Texts and forms only. */
  readonly body?: unknown;
}

type OutgoingFetch = (url: unknown, options?: FetchOptions) => Promise<Response>;

/** A `fetch` for GET and POST; redirects are not followed. @throws OutgoingError */
export function createOutgoingFetch(outgoing: Outgoing): OutgoingFetch {
  return async (url, { method, headers: sent, body } = {}) => {
    const { status, headers, text } = await outgoing.send({
      method: method === 'POST' ? 'POST' : 'GET',
      url: String(url),
      headers: Object.fromEntries(new Headers(sent)),
      ...(body !== undefined && body !== null && { body: String(body) }),
    });
    const kept = HEADERS_READ.map((name) => [name, String(headers[name] ?? '')] as const);
    return new Response(text, {
      status,
      headers: Object.fromEntries(kept.filter(([, value]) => value !== '')),
    });
  };
}
