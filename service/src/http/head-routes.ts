/**
 * Documents that anybody may read answer HEAD as they answer GET, without the body (RFC 9110, 9.3.2). Other routes do
 * not: some give out what serves once, and some never end.
 */
import type { FastifyInstance } from 'fastify';

const DOCUMENT = /^\/(docs|docs\/.*|\.well-known\/.*|openapi\.json)$/;

/** To be installed before the routes. */
export function installHeadRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', function answerHead(this: FastifyInstance, route) {
    if (route.method !== 'GET' || !DOCUMENT.test(route.url)) return;
    const { path: _, routePath, ...options } = route;
    // The root of a plugin stands for its address with and without the slash.
    for (const url of routePath === '' ? ['', '/'] : [routePath])
      this.route({ ...options, method: 'HEAD', url });
  });
}
