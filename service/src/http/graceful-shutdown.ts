/** Graceful shutdown: requests in flight are answered, and no connection delays the end. */
import { Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { HttpServer } from './types.ts';

/**
 * Under traffic, responses carry `Connection: close` for this long before the listener closes, so
 * that no keep-alive client writes to a closing socket.
 */
const DRAIN_MS = 300;
/** Then the last accepted connections have this long to send their request. */
const IDLE_SOCKET_GRACE_MS = 200;
/** There is traffic when the last request is younger than this. */
const RECENT_MS = 1000;
/** Incomplete requests are dropped after this time, from the signal on. */
const GRACE_MS = 5000;

declare module 'fastify' {
  interface FastifyInstance {
    /** True once the instance is closing: it answers, but should get no more requests. */
    isDraining(): boolean;
  }
}

/** Requests that have no answer yet, and the end of those that are there at one moment. */
function watchRequests(app: HttpServer): { finished(): Promise<unknown> } {
  const open = new Map<FastifyReply, () => void>();
  app.addHook('onRequest', async (_request, reply) => {
    open.set(reply, () => {});
  });
  app.addHook('onResponse', async (_request, reply) => {
    open.get(reply)?.();
    open.delete(reply);
  });
  return {
    finished: () =>
      Promise.all(
        [...open.keys()]
          // An event stream has begun its answer, and ends later.
          .filter((reply) => !reply.raw.headersSent)
          .map((reply) => new Promise<void>((resolve) => open.set(reply, resolve))),
      ),
  };
}

export function installGracefulShutdown(app: HttpServer): void {
  let isClosing = false;
  app.decorate('isDraining', () => isClosing);
  let lastRequest_ms = Number.NEGATIVE_INFINITY;
  const requests = watchRequests(app);
  const sockets = new Set<Socket>();
  function forget(this: Socket): void {
    sockets.delete(this);
  }
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket.once('close', forget));
  });
  app.addHook('onRequest', async () => {
    lastRequest_ms = performance.now();
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    setTimeout(() => app.server.closeAllConnections(), GRACE_MS).unref();
    const isBusy = sockets.size > 0 && performance.now() - lastRequest_ms < RECENT_MS;
    // Meanwhile `/readyz` says that the instance is draining.
    const finished = Promise.race([requests.finished(), wait(GRACE_MS, undefined, { ref: false })]);
    if (isBusy) await wait(DRAIN_MS);
    await finished;
    // Only the listener: http.Server.close would also end idle connections, on which a request may
    // be arriving.
    Server.prototype.close.call(app.server);
    if (isBusy) await wait(IDLE_SOCKET_GRACE_MS);
    // Node.js does not count connections without any request as idle.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  });
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close');
  });
}
