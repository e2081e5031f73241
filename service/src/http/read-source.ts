/** Where a route reads: from the primary, or from a standby where there is one. */
import { Readable } from 'node:stream';
import { keepReadScope, type Replica, runInReadScope } from '../db/index.ts';
import type { HttpServer } from './types.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * `standby`: what the handler reads outside of transactions may come from a standby, never
     * older than the request. For lists, dashboards, exports and statements; not for sign-in,
     * tokens, paths of devices, nor what decides about money. Default: `primary`.
     */
    readsFrom?: 'primary' | 'standby';
  }
  interface FastifyInstance {
    /** Paths whose GET may read from a standby, as they were declared. */
    readonly standbyPaths: ReadonlySet<string>;
  }
}

/** Install it behind the guard, and before the routes: callers are found in the primary. */
export function installReads(app: HttpServer, replica: Replica | undefined): void {
  const standbyPaths = new Set<string>();
  app.decorate('standbyPaths', standbyPaths);
  app.addHook('onRoute', ({ config, method, url }) => {
    if (config?.readsFrom !== 'standby') return;
    if (method !== 'GET')
      throw new Error(`${String(method)} ${url} changes something: it reads from the primary`);
    standbyPaths.add(url);
  });
  if (!replica) return;
  app.addHook('preHandler', (request, reply, done) => {
    if (request.routeOptions.config.readsFrom !== 'standby') return done();
    const end = runInReadScope(done);
    reply.raw.once('close', end);
  });
}

/** A body that is read while it is sent, and where its route reads. */
export function streamOf(pieces: AsyncIterable<string | Buffer>): Readable {
  return Readable.from(keepReadScope(pieces));
}
