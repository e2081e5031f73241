/** How the library reads addresses of clients: through the service's guarded client. */
import type { Outgoing } from '../../http/index.ts';

/** Headers of an answer that the library looks at. */
const READ = ['content-type', 'cache-control', 'expires'];

export function createClientFetch(outgoing: Outgoing): typeof fetch {
  return async (url) => {
    const { status, headers, text } = await outgoing.send({ method: 'GET', url: String(url) });
    const kept = READ.map((name) => [name, String(headers[name] ?? '')] as const);
    return new Response(text, {
      status,
      headers: Object.fromEntries(kept.filter(([, value]) => value !== '')),
    });
  };
}
