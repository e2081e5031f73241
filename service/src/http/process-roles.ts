/** A process serves the routes of its roles; any other is a matter for another process behind the same proxy. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Role } from '../config.ts';
import { failure } from '../lib/failures.ts';
import { sendProblem } from './problems.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Roles whose processes serve the route; default: `http`. `every`: all processes do, whatever their roles. */
    roles?: readonly Role[] | 'every';
  }
}

const HTTP: readonly Role[] = ['http'];

/** Answers `misdirected_request` for routes that this process does not serve (RFC 9110 15.5.20: another one may) */
export function installRoles(app: FastifyInstance, roles: ReadonlySet<Role>): void {
  if (roles.has('http') && roles.has('gateway')) return;
  app.addHook('onRequest', async (request, reply): Promise<FastifyReply | undefined> => {
    const wanted = request.is404 ? HTTP : (request.routeOptions.config.roles ?? HTTP);
    if (wanted === 'every' || wanted.some((role) => roles.has(role))) return undefined;
    // Answered here: the same words whatever the errors of a protocol look like.
    return sendProblem(
      request,
      reply,
      failure('misdirected_request', {
        detail: `This process does not serve it: its roles are ${[...roles].join(', ')}.`,
      }),
    );
  });
}
