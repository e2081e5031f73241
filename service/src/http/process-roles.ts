/** An instance serves the routes of its roles; a proxy sends the others to other instances. */
import type { FastifyReply } from 'fastify';
import type { Role } from '../config.ts';
import { failure } from '../lib/failures.ts';
import { sendProblem } from './problems.ts';
import type { HttpServer } from './types.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Roles whose instances serve the route, default `http`; `every`: all instances. */
    roles?: readonly Role[] | 'every';
  }
}

const HTTP: readonly Role[] = ['http'];

/** Answers `misdirected_request` (RFC 9110, 15.5.20) for routes of other roles. */
export function installRoles(app: HttpServer, roles: ReadonlySet<Role>): void {
  if (roles.has('http') && roles.has('gateway')) return;
  app.addHook('onRequest', async (request, reply): Promise<FastifyReply | undefined> => {
    const wanted = request.is404 ? HTTP : (request.routeOptions.config.roles ?? HTTP);
    if (wanted === 'every' || wanted.some((role) => roles.has(role))) return undefined;
    // Sent here: error handlers of protocol routes would change the format.
    return sendProblem(
      request,
      reply,
      failure('misdirected_request', {
        detail: `The roles of this instance are ${[...roles].join(', ')}.`,
      }),
    );
  });
}
