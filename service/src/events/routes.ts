/** `GET /me/events`: a person's events as they happen, by server-sent events, resumable without loss or duplicate. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Db } from '../db/index.ts';
import { callerOf, callingUserId, type HttpServer, limited } from '../http/index.ts';
import type { EventHub } from './event-hub.ts';
import { createEventStream, type EventStream } from './event-stream.ts';
import { readCounter } from './read-events.ts';

const STREAMS_PER_USER = 20;
const RETRY_MS = 1000;

const ResumeHeaders = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({
      pattern: '^(0|[1-9][0-9]{0,14})$',
      description: 'The `id` of the last event received: the stream goes on right after it.',
    }),
  ),
});

const DESCRIPTION = `Server-sent events, to be read with \`fetch\` and the Authorization header. Each event has an increasing \`id\`, its type as
\`event\` and as \`data\` the object \`{type, timestamp, data}\`. The first one is \`ready\` (its \`id\` is where the stream begins), or \`reset\` when
\`Last-Event-ID\` cannot be gone on from (\`reason\`: \`events_no_longer_kept\` after 7 days, \`unknown_event_id\` when no event has
that id yet): read everything anew, then go on. A token sees what its scopes let it read. When
the token expires or is revoked the stream ends with \`closed\` and its \`reason\`.`;

export interface EventRoutes {
  readonly db: Db;
  readonly hub: EventHub;
}

function writeHead(request: FastifyRequest, reply: FastifyReply): void {
  request.socket.setNoDelay(true);
  // Proxies that buffer would hold events back.
  const head = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' };
  reply.raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...head });
  reply.raw.write(`retry: ${RETRY_MS}\n\n`);
}

/** The first event: where the stream begins, and whether that is where the reader left off. */
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
    throw limited(
      { name: 'event-streams', hits: STREAMS_PER_USER },
      5,
      `At most ${STREAMS_PER_USER} streams may be open at once.`,
    );
  reply.hijack();
  writeHead(request, reply);
  const options = {
    principal: callerOf(request),
    userId,
    response: reply.raw,
    amountsAsStrings: request.wantsAmountsAsStrings,
    after: 0,
  };
  const stream = createEventStream(options);
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

/** Registers the stream; open ones end before the server stops. */
export function registerEvents(app: HttpServer, deps: EventRoutes): void {
  app.addHook('preClose', async () => deps.hub.stop());
  app.get(
    '/me/events',
    {
      config: { access: { scopes: [] } },
      schema: {
        tags: ['events'],
        summary: "The person's events as they happen",
        description: DESCRIPTION,
        headers: ResumeHeaders,
        response: {
          200: {
            description: 'A stream of events.',
            content: { 'text/event-stream': { schema: Type.String() } },
          },
        },
      },
    },
    (request, reply) => openStream(deps, request, reply),
  );
}
