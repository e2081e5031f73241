/** `GET /me/events`: the events of a user as server-sent events, resumable without a gap. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Db } from '../db/index.ts';
import {
  callingUserId,
  getCaller,
  type HttpServer,
  rateLimitError,
  TextAnswer,
} from '../http/index.ts';
import type { EventHub } from './event-hub.ts';
import { EventStream } from './event-stream.ts';
import { operations } from './operations.ts';
import { readCounter } from './read-events.ts';

const STREAMS_PER_USER = 20;
const RETRY_MS = 1000;

const ResumeHeaders = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({
      pattern: '^(0|[1-9][0-9]{0,14})$',
      description: 'The `id` of the last event received; the stream continues after it.',
    }),
  ),
});

export interface EventRoutes {
  readonly db: Db;
  readonly hub: EventHub;
}

function writeHead(request: FastifyRequest, reply: FastifyReply): void {
  request.socket.setNoDelay(true);
  // Proxies must not buffer events.
  const head = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' };
  reply.raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...head });
  reply.raw.write(`retry: ${RETRY_MS}\n\n`);
}

/** Writes the first event. @returns true when the client resumes after its last event */
async function begin(
  db: Db,
  stream: EventStream,
  live: number,
  lastEventId: string | undefined,
): Promise<boolean> {
  if (lastEventId === undefined) {
    stream.control('ready', {}, live);
    return false;
  }
  const { lastPosition, deletedPosition } = await readCounter(db);
  if (Number(lastEventId) >= deletedPosition && Number(lastEventId) <= lastPosition) {
    stream.control('ready', {}, Number(lastEventId));
    return true;
  }
  const reason = Number(lastEventId) > lastPosition ? 'unknown_event_id' : 'events_no_longer_kept';
  stream.control('reset', { reason }, Math.max(live, lastPosition));
  return false;
}

async function openStream(
  { db, hub }: EventRoutes,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const userId = callingUserId(request);
  if (hub.countOf(userId) >= STREAMS_PER_USER)
    throw rateLimitError(
      { name: 'event-streams', hits: STREAMS_PER_USER },
      5,
      `At most ${STREAMS_PER_USER} streams may be open at once.`,
    );
  reply.hijack();
  writeHead(request, reply);
  const stream = new EventStream({
    principal: getCaller(request),
    userId,
    response: reply.raw,
    amountsAsStrings: request.wantsAmountsAsStrings,
  });
  reply.raw.once('close', () => hub.leave(stream));
  try {
    const live = await hub.join(stream);
    if (await begin(db, stream, live, request.headers['last-event-id'] as string | undefined))
      await hub.catchUp(stream);
    else stream.goLive();
  } catch (error) {
    request.log.error({ err: error }, 'an event stream failed');
    reply.raw.destroy();
  }
}

/** Registers the route; open streams end before the server stops. */
export function registerEvents(app: HttpServer, deps: EventRoutes): void {
  app.addHook('preClose', async () => deps.hub.stop());
  app.get(
    '/me/events',
    {
      // The connection is taken over before anything can fail.
      config: { access: { scopes: [] }, isStream: true, handlesFailures: true },
      schema: {
        ...operations.streamEvents,
        headers: ResumeHeaders,
        response: { 200: TextAnswer('text/event-stream', 'A stream of events.') },
      },
    },
    (request, reply) => openStream(deps, request, reply),
  );
}
