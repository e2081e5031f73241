/**
 * WebSocket upgrades take the same road as every request: router, guard, problems. A route that accepts one gets
 * the bare socket; a refusal is an ordinary HTTP answer, after which the connection ends.
 */
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** What the client sent behind the request already. */
  readonly head: Buffer;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

function destroySocket(this: Duplex): void {
  this.destroy();
}

export function installUpgrades(app: FastifyInstance): void {
  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // Without a listener a reset by the client would end the process.
    socket.on('error', destroySocket);
    upgrades.set(request, { request, socket, head });
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as never);
    // A client that is refused does not decide when the connection ends.
    response.once('finish', () => socket.destroySoon());
    app.routing(request as never, response as never);
  });
}

/** True when the client wants to leave HTTP. */
export function isUpgrade(request: FastifyRequest): boolean {
  return upgrades.has(request.raw);
}

/** Takes the socket; the route answers nothing more. */
export function acceptUpgrade(request: FastifyRequest, reply: FastifyReply): Upgrade {
  const upgrade = upgrades.get(request.raw);
  if (!upgrade) throw new Error('the request is no upgrade');
  reply.hijack();
  upgrades.delete(request.raw);
  reply.raw.removeAllListeners('finish');
  upgrade.socket.off('error', destroySocket);
  reply.raw.detachSocket(upgrade.socket as never);
  return upgrade;
}
