/** The error handler: every error becomes an RFC 9457 problem document with a stable code. */
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseBusy, isDatabaseUnreachable, readDatabaseState } from '../db/index.ts';
import { FAILURES, Failure, type FailureCode, type FailureKind, failure } from '../lib/failures.ts';
import { newId } from '../lib/ids.ts';
import { type AjvError, toFieldFailure } from './validation-errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Code of the problem that it was answered with. */
    problemCode: FailureCode | undefined;
  }
}

const STATUS: Readonly<Record<FailureKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method: 405,
  conflict: 409,
  precondition: 412,
  too_large: 413,
  unsupported: 415,
  misdirected: 421,
  upgrade: 426,
  limited: 429,
  internal: 500,
  unavailable: 503,
};

/** The HTTP status of a failure code. */
export function httpStatusOf(code: FailureCode): number {
  return STATUS[FAILURES[code].kind];
}

/** The problem document (RFC 9457) of a failure. */
export function toProblem(error: Failure, requestId: string): Record<string, unknown> {
  const { detail, fields, extra } = error.details;
  return {
    type: `urn:edge-account:problem:${error.code}`,
    title: FAILURES[error.code].title,
    status: httpStatusOf(error.code),
    detail:
      detail ??
      (fields
        ? fields.map((field) => `${field.field} ${field.message}`).join('; ')
        : FAILURES[error.code].title),
    code: error.code,
    request_id: requestId,
    ...(fields && { errors: fields }),
    ...extra,
  };
}

const PARSER_CODES: Readonly<Record<string, FailureCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_body',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_body',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_body',
  FST_ERR_BAD_URL: 'not_found',
};

/** Maps any error to a failure. */
function toFailure(error: FastifyError): Failure {
  if (error instanceof Failure) return error;
  if (error.validation) {
    if (error.validationContext === 'params') return failure('not_found');
    return failure('invalid_parameter', {
      fields: (error.validation as unknown as AjvError[]).map(toFieldFailure),
    });
  }
  const code = PARSER_CODES[error.code];
  if (code) return failure(code, { cause: error });
  if (error.statusCode === 400) return failure('malformed_body', { cause: error });
  const state = readDatabaseState(error);
  if (state !== undefined)
    return failure('unavailable', { cause: error, retryAfter_s: 1, extra: { reason: state } });
  if (isDatabaseUnreachable(error) || isDatabaseBusy(error))
    return failure('unavailable', { cause: error, retryAfter_s: 1 });
  return failure('internal_error', { cause: error });
}

/** Sends a failure. */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  error: Failure,
): FastifyReply {
  request.problemCode = error.code;
  const status = httpStatusOf(error.code);
  const { retryAfter_s, headers } = error.details;
  if (retryAfter_s !== undefined) reply.header('retry-after', String(retryAfter_s));
  if (headers) reply.headers(headers);
  if (status === 401 && !reply.hasHeader('www-authenticate')) {
    reply.header(
      'www-authenticate',
      error.code === 'missing_token'
        ? 'Bearer'
        : `Bearer error="invalid_token", error_description="${FAILURES[error.code].title}"`,
    );
  }
  if (error.code === 'insufficient_scope')
    reply.header('www-authenticate', 'Bearer error="insufficient_scope"');
  return reply.code(status).type('application/problem+json').send(toProblem(error, request.id));
}

export function handleError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const known = toFailure(error);
  if (known.code === 'internal_error' || known.code === 'unavailable')
    request.log.error({ err: error }, 'request failed');
  return sendProblem(request, reply, known);
}

/** Answers a request that is not valid HTTP with a problem document on the raw socket. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const status = isTooLarge
    ? '431 Request Header Fields Too Large'
    : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? '408 Request Timeout'
      : '400 Bad Request';
  const problem = toProblem(
    failure('malformed_request', {
      detail: isTooLarge ? 'The headers are too large.' : 'The request is not valid HTTP.',
    }),
    newId(),
  );
  const body = JSON.stringify({ ...problem, status: Number(status.slice(0, 3)) });
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
