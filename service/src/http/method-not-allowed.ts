/** A path that exists for other methods is 405 with `Allow` (RFC 9110, 15.5.6), not 404. */
import findMyWay, { type HTTPMethod } from 'find-my-way';
import { failure } from '../lib/failures.ts';
import { sendProblem } from './problems.ts';
import type { HttpServer } from './types.ts';

/** Longer path parameters are refused, as by the server's own router. */
const PARAMETER_MAX = 512;

/** Install it before the routes. */
export function installMethodNotAllowed(app: HttpServer): void {
  const router = findMyWay({ maxParamLength: PARAMETER_MAX });
  const methods = new Set<HTTPMethod>();
  app.addHook('onRoute', ({ method, url }) => {
    // Catch-all routes say nothing of a path.
    if (url.endsWith('*')) return;
    for (const one of [method].flat() as HTTPMethod[]) {
      methods.add(one);
      if (!router.hasRoute(one, url)) router.on(one, url, () => undefined);
    }
  });
  app.setNotFoundHandler((request, reply) => {
    const allowed = [...methods].filter((method) => router.find(method, request.url) !== null);
    if (allowed.length === 0) return sendProblem(request, reply, failure('not_found'));
    const headers = { allow: allowed.sort().join(', ') };
    return sendProblem(request, reply, failure('method_not_allowed', { headers }));
  });
}
