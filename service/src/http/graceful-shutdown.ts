/** How the server stops: whoever is under way is answered, and nobody keeps the process waiting. */
import { Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** While traffic flows, answers carry `Connection: close` for this long before the listener closes, so that no keep-alive client writes into a closing socket. */
const DRAIN_MS = 300;
/** After it, whoever was accepted last has this long to send the request that it came with. */
const IDLE_SOCKET_GRACE_MS = 200;
/** Traffic flows when the last request is younger than this. */
const RECENT_MS = 1000;
/** A request that has not arrived whole by then never will. */
const GRACE_MS = 5000;

export function installGoodbye(app: FastifyInstance): void {
  let isClosing = false;
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
    // The listener alone: http.Server.close would end idle connections too, in which a request may be on its way.
    Server.prototype.close.call(app.server);
    if (isBusy) await wait(IDLE_SOCKET_GRACE_MS);
    // A connection that a client opened ahead of need and never used is not counted among the idle by Node.js.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    setTimeout(() => app.server.closeAllConnections(), GRACE_MS).unref();
  });
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close');
  });
}
