/** The HTTP server: parsers, serializer, headers, logs, errors. Domains add their routes. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, { type FastifyRequest, LogController } from 'fastify';
import type { Config } from '../config.ts';
import { parseExact, stringifyExact } from '../lib/exact-json.ts';
import { failure } from '../lib/failures.ts';
import { traceIdOf } from '../lib/tracing.ts';
import { installGracefulShutdown } from './graceful-shutdown.ts';
import { installMethodNotAllowed } from './method-not-allowed.ts';
import { answerClientError, handleError, sendProblem } from './problems.ts';
import { isDecodable, refuseSecondHost, toOriginForm } from './request-target.ts';
import { createRequestIds, installRequestTracing } from './request-tracing.ts';
import { closeStalledConnections, limitConnections, SERVER_TIMEOUTS } from './socket-limits.ts';
import type { HttpServer } from './types.ts';
import { convertQuery, fillOptionalBody, validatorCompiler } from './validation.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route itself handles text that cannot be stored: per item of a batch, or a page. */
    allowsUnstorableText?: boolean;
  }
  interface FastifyRequest {
    /** `Prefer: amounts=string`: amounts as JSON strings. */
    wantsAmountsAsStrings: boolean;
  }
}

const BODY_LIMIT_BYTES = 64 * 1024;
function parseJsonBody(text: string, allowsUnstorableText: boolean): unknown {
  if (text.trim() === '') return undefined;
  try {
    return parseExact(text, allowsUnstorableText);
  } catch (error) {
    if (error instanceof SyntaxError) throw failure('malformed_body', { cause: error });
    throw error;
  }
}

function installJsonParser(app: HttpServer): void {
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (request: FastifyRequest, body: string | Buffer) =>
      parseJsonBody(body.toString(), request.routeOptions.config.allowsUnstorableText === true),
  );
}

/** `Prefer: amounts=string` (RFC 7240). */
function prefersStrings(header: string | string[] | undefined): boolean {
  const values = Array.isArray(header) ? header.join(',') : (header ?? '');
  return values
    .split(',')
    .some((preference) => /^\s*amounts\s*=\s*"?string"?\s*(;|$)/i.test(preference));
}

function installHeaders(app: HttpServer, config: Config): void {
  const isSecure = config.BASE_URL.startsWith('https:');
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      ...(isSecure && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
    });
    if (!prefersStrings(request.headers.prefer)) return;
    request.wantsAmountsAsStrings = true;
    reply
      .header('preference-applied', 'amounts=string')
      .serializer((body: unknown) => stringifyExact(body, true));
  });
  // Fastify sets the type only after its own serializer.
  app.addHook('preSerialization', async (request, reply, body: unknown) => {
    if (request.wantsAmountsAsStrings && !reply.hasHeader('content-type'))
      reply.type('application/json; charset=utf-8');
    return body;
  });
}

/** One line per request: never a query (it may hold codes), a header or a body. */
function installRequestLog(app: HttpServer): void {
  app.decorateRequest('problemCode', undefined);
  app.addHook('onResponse', async (request, reply) => {
    const line = {
      method: request.method,
      path: request.url.split('?', 1)[0],
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      user_id: request.principal?.userId,
      client_id: request.principal?.clientId,
      trace_id: request.requestSpan && traceIdOf(request.requestSpan),
    };
    request.log.info(line, 'request');
  });
}

/** A path without a route, so that requests pass all hooks and browsers get a page. */
const NOT_FOUND_PATH = '/undecodable';

/** Creates the server with all that routes share, without routes. */
/** One line of JSON each; nothing that signs anyone in is written. */
const logTo = (level: string) => ({
  level,
  base: { service: 'edge-account' },
  serializers: { req: () => undefined, res: () => undefined } as never,
  redact: {
    paths: [
      '*.password',
      '*.login_password',
      '*.authorization',
      '*.token',
      '*.secret',
      '*.client_secret',
      '*.validate_code',
    ],
    censor: '[secret]',
  },
});

export function createServer(config: Config): HttpServer {
  const app = fastify({
    logger: logTo(config.LOG_LEVEL),
    genReqId: createRequestIds(),
    requestIdHeader: false,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'request_id',
    }),
    bodyLimit: BODY_LIMIT_BYTES,
    // Other upgrades than WebSocket are ignored.
    http: {
      headersTimeout: SERVER_TIMEOUTS.headers_ms,
      connectionsCheckingInterval: SERVER_TIMEOUTS.check_ms,
      shouldUpgradeCallback: (request) => request.headers.upgrade?.toLowerCase() === 'websocket',
    },
    requestTimeout: SERVER_TIMEOUTS.request_ms,
    keepAliveTimeout: SERVER_TIMEOUTS.idle_ms,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    routerOptions: { maxParamLength: 512, ignoreTrailingSlash: false, caseSensitive: true },
    rewriteUrl: ({ url = '/' }) => (isDecodable(url) ? toOriginForm(url) : NOT_FOUND_PATH),
    // A path parameter that is too long.
    frameworkErrors: (_error, request, reply) =>
      void sendProblem(request as never, reply as never, failure('not_found')),
    clientErrorHandler: answerClientError,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.decorateRequest('wantsAmountsAsStrings', false);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(() => (body) => stringifyExact(body));
  app.setReplySerializer((body) => stringifyExact(body));
  app.setErrorHandler(handleError);
  installMethodNotAllowed(app);
  installJsonParser(app);
  limitConnections(app);
  closeStalledConnections(app.server);
  installRequestTracing(app);
  installHeaders(app, config);
  installRequestLog(app);
  refuseSecondHost(app);
  installGracefulShutdown(app);
  app.addHook('preValidation', convertQuery);
  app.addHook('preValidation', fillOptionalBody);
  return app;
}
