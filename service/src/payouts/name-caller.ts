import type { FastifyRequest } from 'fastify';
import { getCaller } from '../http/index.ts';

/** Who decides, as the audit log names them. */
export function nameCaller(request: FastifyRequest): string {
  const { userId, clientId } = getCaller(request);
  return userId === undefined ? `client:${clientId}` : `user:${userId}`;
}
