/** The HTTP server: parsers, serializer, headers, logs, errors. Domains add their routes to it. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify';
import type { Config } from '../config.ts';
import { parseExact, stringifyExact } from '../lib/exact-json.ts';
import { failure } from '../lib/failures.ts';
import { createNamer } from '../lib/ids.ts';
import { installGoodbye } from './graceful-shutdown.ts';
import { answerClientError, handleError, sendProblem } from './problems.ts';
import { convertQuery, validatorCompiler } from './validation.ts';

/** The server with TypeBox types. */
export type HttpServer = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route looks for text that cannot be stored by itself: it refuses an item of a batch, not the batch, or it is a page. */
    allowsUnstorableText?: boolean;
  }
  interface FastifyRequest {
    /** The caller asked with `Prefer: amounts=string` for amounts as JSON strings. */
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

/** `Prefer: amounts=string` (RFC 7240). */
function prefersStrings(header: string | string[] | undefined): boolean {
  const values = Array.isArray(header) ? header.join(',') : (header ?? '');
  return values
    .split(',')
    .some((preference) => /^\s*amounts\s*=\s*"?string"?\s*(;|$)/i.test(preference));
}

function installHeaders(app: FastifyInstance, config: Config): void {
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
  // Fastify names the type only of what its own serializer wrote.
  app.addHook('preSerialization', async (request, reply, body: unknown) => {
    if (request.wantsAmountsAsStrings && !reply.hasHeader('content-type'))
      reply.type('application/json; charset=utf-8');
    return body;
  });
}

/** One line per request: never a query (it may hold codes), a header or a body. */
function installRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const line = {
      method: request.method,
      path: request.url.split('?', 1)[0],
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      user_id: request.principal?.userId,
      client_id: request.principal?.clientId,
    };
    request.log.info(line, 'request');
  });
}

/** An address like any other that there is nothing at: it passes every hook, and a person is answered with a page. */
const NOT_FOUND_PATH = '/undecodable';

/** False for a path with a percent sign that stands for no character. */
function isDecodable(url: string): boolean {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  if (!path.includes('%')) return true;
  try {
    decodeURI(path);
    return true;
  } catch {
    return false;
  }
}

/** Makes the server, with everything that all routes share and no route yet. */
export function createServer(config: Config): HttpServer {
  const app = fastify({
    logger: {
      level: config.LOG_LEVEL,
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
    },
    genReqId: createNamer(),
    requestIdHeader: false,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'request_id',
    }),
    bodyLimit: BODY_LIMIT_BYTES,
    // Only WebSocket leaves HTTP; anything else that a client would rather speak is answered as if it had not asked.
    http: {
      shouldUpgradeCallback: (request) => request.headers.upgrade?.toLowerCase() === 'websocket',
    },
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    routerOptions: { maxParamLength: 512, ignoreTrailingSlash: false, caseSensitive: true },
    rewriteUrl: ({ url = '/' }) => (isDecodable(url) ? url : NOT_FOUND_PATH),
    // A parameter that is too long names nothing of ours.
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
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, failure('not_found')));
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (request: FastifyRequest, body: string | Buffer) =>
      parseJsonBody(body.toString(), request.routeOptions.config.allowsUnstorableText === true),
  );
  installHeaders(app, config);
  installRequestLog(app);
  installGoodbye(app);
  app.addHook('preValidation', convertQuery);
  return app;
}
