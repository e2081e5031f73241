/**
 * Cross-origin rules, never with credentials. Routes of the sign-in page: its origin. Other routes:
 * origins of registered clients. The authorization endpoint: none.
 */
import type { FastifyReply } from 'fastify';
import type { HttpServer } from './types.ts';

export interface CorsRules {
  /** Origin of `AUTHORIZATION_PAGE_URL`. */
  readonly pageOrigin: string;
  /** Origin of `BASE_URL`: its own pages read every answer without these headers. */
  readonly ownOrigin: string;
  /** True for the origin of a registered client's redirect URI. */
  isClientOrigin(origin: string): boolean | Promise<boolean>;
}

const ALLOWED_HEADERS =
  'authorization, challenge-solution, content-type, dpop, idempotency-key, if-match, ' +
  'last-event-id, prefer';
const EXPOSED_HEADERS =
  'x-request-id, retry-after, ratelimit, ratelimit-policy, www-authenticate, dpop-nonce, ' +
  'preference-applied, x-total-count, x-result-capped, etag';

/** Routes of the sign-in page beside `/user/*`. */
const PAGE_PATHS: ReadonlySet<string> = new Set([
  '/oauth2/authorize/consent',
  '/oauth2/authorize/state',
]);

/** What a sign-in page of another origin shows, and applications may show. */
const BRAND_PATH = '/brand';

async function isAllowed(rules: CorsRules, path: string, origin: string): Promise<boolean> {
  if (path === '/oauth2/authorize') return false;
  if (path.startsWith('/user/') || PAGE_PATHS.has(path)) return origin === rules.pageOrigin;
  if (path === BRAND_PATH && origin === rules.pageOrigin) return true;
  return origin === rules.ownOrigin || rules.isClientOrigin(origin);
}

/** The console's files: browsers send the origin with fonts, and only its own pages load them. */
const FILES_PREFIX = '/assets/';

/** Answers preflight requests, and adds the headers for allowed origins. */
export function installCors(app: HttpServer, rules: CorsRules): void {
  app.addHook('onRequest', async (request, reply): Promise<FastifyReply | undefined> => {
    const { origin } = request.headers;
    const path = request.url.split('?', 1)[0] ?? '';
    if (origin === undefined || origin === 'null' || path.startsWith(FILES_PREFIX))
      return undefined;
    reply.header('vary', 'Origin');
    const isPreflight =
      request.method === 'OPTIONS' &&
      request.headers['access-control-request-method'] !== undefined;
    if (await isAllowed(rules, path, origin)) {
      reply
        .header('access-control-allow-origin', origin)
        .header('access-control-expose-headers', EXPOSED_HEADERS);
      if (isPreflight)
        reply
          .header('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE')
          .header('access-control-allow-headers', ALLOWED_HEADERS)
          .header('access-control-max-age', '600');
    }
    return isPreflight ? reply.code(204).send() : undefined;
  });
}
