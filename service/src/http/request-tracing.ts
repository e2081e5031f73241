/** The identifiers that a request brings along, and its span. */
import type { IncomingMessage } from 'node:http';
import { createIdGenerator } from '../lib/ids.ts';
import {
  endRequestSpan,
  type RequestSpan,
  startRequestSpan,
  underRequestSpan,
} from '../lib/tracing.ts';
import type { HttpServer } from './types.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent for what is refused before the hooks. */
    requestSpan: RequestSpan | undefined;
  }
}

/** What proxies and tracing systems send; other text is not repeated in headers and logs. */
const REQUEST_ID = /^[\w.:+/=-]{1,128}$/;

/** Takes `X-Request-Id` of the caller over, or makes an identifier. */
export function createRequestIds(): (request: IncomingMessage) => string {
  const createId = createIdGenerator();
  return ({ headers }) => {
    const given = headers['x-request-id'];
    return typeof given === 'string' && REQUEST_ID.test(given) ? given : createId();
  };
}

/** Installs the spans of requests. It comes first: the other hooks run in the span. */
export function installRequestTracing(app: HttpServer): void {
  app.decorateRequest('requestSpan', undefined);
  app.addHook('onRequest', (request, _reply, done) => {
    request.requestSpan = startRequestSpan(request.method, request.headers);
    underRequestSpan(request.requestSpan, done);
  });
  // A body is read in events of the socket, which know nothing of the span.
  app.addHook('preValidation', ({ requestSpan }, _reply, done) => {
    if (requestSpan) underRequestSpan(requestSpan, done);
    else done();
  });
  app.addHook('onResponse', async ({ requestSpan, method, routeOptions }, reply) => {
    if (!requestSpan) return;
    const route = routeOptions.url ?? 'unknown path';
    endRequestSpan(requestSpan, method, { route, status: reply.statusCode });
  });
}
