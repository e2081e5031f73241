/** Graceful shutdown: requests in flight are answered, and no connection delays the end. */
import { Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
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
/** Incomplete requests are dropped after this time. */
const GRACE_MS = 5000;

declare module 'fastify' {
  interface FastifyInstance {
    /** True once the instance is closing: it answers, but should get no more requests. */
    isDraining(): boolean;
  }
}

export function installGracefulShutdown(app: HttpServer): void {
  let isClosing = false;
  app.decorate('isDraining', () => isClosing);
  let lastRequest_ms = Number.NEGATIVE_INFINITY;
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
    const isBusy = sockets.size > 0 && performance.now() - lastRequest_ms < RECENT_MS;
    if (isBusy) await wait(DRAIN_MS);
    // Only the listener: http.Server.close would also end idle connections, on which a request may
    // be arriving.
    Server.prototype.close.call(app.server);
    if (isBusy) await wait(IDLE_SOCKET_GRACE_MS);
    // Node.js does not count connections without any request as idle.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    setTimeout(() => app.server.closeAllConnections(), GRACE_MS).unref();
  });
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close');
  });
}
