/**
 * Limits on what one connection and one address hold, so that clients that send slowly, never read
 * or pipeline without end (RFC 9112 9.3.2) cost little and are closed within a minute.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { rateLimitError } from './rate-limits.ts';
import type { HttpServer } from './types.ts';
import { isUpgrade } from './websocket-upgrades.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The answer stays open for long, and has limits of its own. */
    isStream?: boolean;
  }
}

export const SERVER_TIMEOUTS = {
  /** Until a whole request has arrived. */
  request_ms: 50_000,
  headers_ms: 20_000,
  /** Between requests; longer than the 60 s of usual load balancers, which must close first. */
  idle_ms: 72_000,
  /** How often Node.js looks for requests that are late. */
  check_ms: 5_000,
};
/**
 * A client that takes nothing of an answer for this long is cut off; after twice this time at the
 * latest, because Node.js starts once more when the first time ends with bytes that wait.
 */
export const STALLED_MS = 25_000;
/** Pipelined requests that wait for the answer before them. */
export const WAITING_MAX = 16;
/** Requests of one address under way at once, in one process. */
export const UNDER_WAY_MAX = 1000;

/** Starts the requests of one connection one after another, while the connection is open. */
class Pipeline {
  readonly #socket: Socket;
  readonly #waiting: (() => void)[] = [];
  #isBusy = false;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Returns false when too many wait. */
  enter(start: () => void): boolean {
    if (!this.#isBusy) {
      this.#isBusy = true;
      start();
      return true;
    }
    return this.#waiting.push(start) <= WAITING_MAX;
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next && !this.#socket.destroyed) next();
    else this.#isBusy = false;
  }
}

/** Counts the requests under way by address. */
class AddressCounter {
  readonly #counts = new Map<string, number>();

  get(address: string): number {
    return this.#counts.get(address) ?? 0;
  }

  add(address: string, change: 1 | -1): void {
    const count = this.get(address) + change;
    if (count > 0) this.#counts.set(address, count);
    else this.#counts.delete(address);
  }
}

const pipelines = new WeakMap<Socket, Pipeline>();

function findPipeline(socket: Socket): Pipeline {
  const known = pipelines.get(socket);
  if (known) return known;
  const created = new Pipeline(socket);
  pipelines.set(socket, created);
  return created;
}

/** Runs `action` once, when the answer is sent or its connection is gone. */
function onceEnded(response: NodeJS.EventEmitter, action: () => void): void {
  let hasRun = false;
  function run(): void {
    if (hasRun) return;
    hasRun = true;
    action();
  }
  response.once('finish', run).once('close', run);
}

/** Must be installed before other hooks: a waiting request has done no work. */
export function limitConnections(app: HttpServer): void {
  const underWay = new AddressCounter();
  app.addHook('onRequest', (request, reply, done) => {
    if (isUpgrade(request)) return done();
    const { socket } = request.raw;
    const pipeline = findPipeline(socket);
    const address = request.routeOptions.config.isStream ? undefined : request.ip;
    const isTaken = pipeline.enter(() => {
      const isRefused = address !== undefined && underWay.get(address) >= UNDER_WAY_MAX;
      const isCounted = address !== undefined && !isRefused;
      if (isCounted) underWay.add(address, 1);
      onceEnded(reply.raw, () => {
        if (isCounted) underWay.add(address, -1);
        pipeline.leave();
      });
      if (!isRefused) return done();
      const quota = { name: 'address-under-way', hits: UNDER_WAY_MAX };
      done(rateLimitError(quota, 1, 'Too many requests of this address are under way.'));
    });
    if (!isTaken) socket.destroy();
  });
}

/** Closes connections whose client takes nothing, and idle ones. */
export function closeStalledConnections(server: Server, stalled_ms = STALLED_MS): void {
  // Called after this time without traffic in either direction, or the time of an idle connection.
  server.setTimeout(stalled_ms, (socket) => {
    // A reset: a usual close would leave the kernel with bytes that nothing reads.
    if (socket.writableLength > 0) socket.resetAndDestroy();
    else if (!pipelines.get(socket)?.isBusy) socket.destroy();
  });
}
