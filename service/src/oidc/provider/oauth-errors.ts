/** Errors of the protocol endpoints, in the shape of RFC 6749. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { PageLook } from '../../http/index.ts';
import { Failure } from '../../lib/failures.ts';
import { readLanguage } from '../../lib/language.ts';
import { errorPage } from './error-page.ts';

export class OAuthError extends Error {
  readonly error: string;
  readonly status: number;
  constructor(error: string, description: string, status = 400) {
    super(description);
    this.name = 'OAuthError';
    this.error = error;
    this.status = status;
  }
}

type HandledError = FastifyError | OAuthError | Failure;

function httpStatusOf(error: FastifyError | Failure): number {
  if (!(error instanceof Failure)) return error.statusCode ?? 500;
  if (error.code === 'rate_limited') return 429;
  return error.code === 'unavailable' ? 503 : 400;
}

function toOAuthError(error: HandledError, request: FastifyRequest): OAuthError {
  if (error instanceof OAuthError) return error;
  // POST /oauth2/authorize takes two content types; any other is a malformed request.
  if (
    'code' in error &&
    error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' &&
    request.routeOptions.url === '/oauth2/authorize'
  )
    return new OAuthError('invalid_request', 'send JSON or a form');
  const status = httpStatusOf(error);
  if (status === 429) return new OAuthError('temporarily_unavailable', error.message, status);
  if (status < 500) return new OAuthError('invalid_request', error.message, status);
  request.log.error({ err: error }, 'protocol request failed');
  const code = status === 503 ? 'temporarily_unavailable' : 'server_error';
  return new OAuthError(code, 'the request could not be served', status);
}

/** Answers an error as a page for browsers, as JSON otherwise. */
function sendOAuthError(
  look: PageLook,
  error: HandledError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { error: code, message, status } = toOAuthError(error, request);
  if (error instanceof Failure) {
    const { retryAfter_s, headers = {} } = error.details;
    if (retryAfter_s !== undefined) reply.header('retry-after', String(retryAfter_s));
    reply.headers(headers);
  }
  const { accept = '', 'accept-language': language } = request.headers;
  const isPage = error instanceof OAuthError && request.method === 'GET';
  if (!isPage || !accept.includes('text/html'))
    return reply.code(status).send({ error: code, error_description: message });
  const shown = { error: code, description: message };
  const { html, policy } = errorPage(look, shown, readLanguage(language));
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .send(html);
}

/** The error handler of the protocol's routes. */
export function createErrorHandler(look: () => PageLook) {
  return (error: HandledError, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendOAuthError(look(), error, request, reply);
}
