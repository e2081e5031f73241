/** Content negotiation (RFC 9110, 12.5.1). */
import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

/** True when the caller prefers CSV to JSON; the default is JSON. */
export function prefersCsv(request: Pick<FastifyRequest, 'headers'>): boolean {
  const { accept } = request.headers;
  // Types are case-insensitive (RFC 9110 8.3.1), the library is not.
  const headers =
    accept === undefined ? {} : { accept: accept.toLowerCase().replace(/;\s*charset=[^;,]*/g, '') };
  return new Negotiator({ headers }).mediaType(['application/json', 'text/csv']) === 'text/csv';
}
