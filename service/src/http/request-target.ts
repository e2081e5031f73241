/** What a request names: its path, and one host at most. */
import { failure } from '../lib/failures.ts';
import type { HttpServer } from './types.ts';

/** False for a path with invalid percent encoding. */
export function isDecodable(url: string): boolean {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  if (!path.includes('%')) return true;
  try {
    decodeURI(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * The path and query of a request target: a client may name the host in it (RFC 9112 3.2.2), which
 * decides nothing here.
 */
export function toOriginForm(url: string): string {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}

/** Refuses what two readers could take for different hosts (RFC 9112 3.2). */
export function refuseSecondHost(app: HttpServer): void {
  app.addHook('onRequest', async (request) => {
    const names = request.raw.rawHeaders.filter((_, i) => i % 2 === 0);
    if (names.filter((name) => name.toLowerCase() === 'host').length > 1)
      throw failure('malformed_request', { detail: 'The request has two Host headers.' });
  });
}
