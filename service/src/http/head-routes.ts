/**
 * Public documents answer HEAD like GET, without the body (RFC 9110, 9.3.2). Other routes do not:
 * some issue one-time values, and some are streams.
 */
import type { HttpServer } from './types.ts';

const DOCUMENT = /^\/(docs|docs\/.*|\.well-known\/.*|openapi\.json)$/;

/** Install it before the routes. */
export function installHeadRoutes(app: HttpServer): void {
  app.addHook('onRoute', function answerHead(this: HttpServer, route) {
    if (route.method !== 'GET' || !DOCUMENT.test(route.url)) return;
    const { path: _, routePath, ...options } = route;
    // The root of a plugin matches with and without the slash.
    for (const url of routePath === '' ? ['', '/'] : [routePath])
      this.route({ ...options, method: 'HEAD', url });
  });
}
