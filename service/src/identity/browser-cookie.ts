/** The cookie that binds a ticket to the browser which asked for it, where the asking page is one of ours. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { newSecret } from '../lib/ids.ts';
import { readLanguage } from '../lib/language.ts';
import type { Asker } from './types.ts';

const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** `__Host-`: no other subdomain can plant it. Browsers take that prefix over https only. */
function nameOf(isSecure: boolean): string {
  return isSecure ? '__Host-edge-sign-in' : 'edge-sign-in';
}

/** The browser's secret that a request brings. */
export function readBrowser(request: FastifyRequest, isSecure: boolean): string | undefined {
  const prefix = `${nameOf(isSecure)}=`;
  const pair = (request.headers.cookie ?? '')
    .split(';')
    .find((part) => part.trim().startsWith(prefix));
  const secret = pair?.trim().slice(prefix.length);
  return secret !== undefined && SECRET.test(secret) ? secret : undefined;
}

/** Gives a same-origin browser a secret, or keeps the one that it has (another tab may be signing in). Undefined for programs. */
export function bindBrowser(
  request: FastifyRequest,
  reply: FastifyReply,
  isSecure: boolean,
  maxAge_s: number,
): string | undefined {
  if (request.headers['sec-fetch-site'] !== 'same-origin') return undefined;
  const secret = readBrowser(request, isSecure) ?? newSecret();
  reply.header(
    'set-cookie',
    `${nameOf(isSecure)}=${secret}; Path=/; Max-Age=${maxAge_s}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`,
  );
  return secret;
}

/** Where a request came from, and in which language to write because of it. */
export function originOf(request: FastifyRequest): Asker {
  const agent = request.headers['user-agent'] ?? '';
  return {
    ip: request.ip,
    userAgent: agent.slice(0, 400),
    language: readLanguage(request.headers['accept-language']),
  };
}
