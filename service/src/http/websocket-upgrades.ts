/**
 * WebSocket upgrades pass the same router, guard and error handler as requests. A route that
 * accepts one gets the raw socket; a refusal is an HTTP response that closes the connection.
 */
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpServer } from './types.ts';

export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** Bytes that arrived after the request. */
  readonly head: Buffer;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

function destroySocket(this: Duplex): void {
  this.destroy();
}

export function installUpgrades(app: HttpServer): void {
  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // Without a listener a reset by the client ends the process.
    socket.on('error', destroySocket);
    upgrades.set(request, { request, socket, head });
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as never);
    // A refused client must not keep the connection open.
    response.once('finish', () => socket.destroySoon());
    app.routing(request as never, response as never);
  });
}

/** True for an upgrade request. */
export function isUpgrade(request: FastifyRequest): boolean {
  return upgrades.has(request.raw);
}

/** Takes the socket; the route must not send a response. */
export function acceptUpgrade(request: FastifyRequest, reply: FastifyReply): Upgrade {
  const upgrade = upgrades.get(request.raw);
  if (!upgrade) throw new Error('the request is not an upgrade');
  reply.hijack();
  upgrades.delete(request.raw);
  reply.raw.removeAllListeners('finish');
  upgrade.socket.off('error', destroySocket);
  reply.raw.detachSocket(upgrade.socket as never);
  return upgrade;
}
