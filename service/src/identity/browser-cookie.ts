/** The cookie that binds a ticket to the browser of a same-origin page. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { newSecret } from '../lib/ids.ts';
import { readLanguage } from '../lib/language.ts';
import type { RequestOrigin } from './types.ts';

const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** `__Host-`: no other subdomain can set it. Browsers accept the prefix over https only. */
function cookieName(isSecure: boolean): string {
  return isSecure ? '__Host-edge-sign-in' : 'edge-sign-in';
}

/** The browser's secret in a request. */
export function readBrowser(request: FastifyRequest, isSecure: boolean): string | undefined {
  const prefix = `${cookieName(isSecure)}=`;
  const pair = (request.headers.cookie ?? '')
    .split(';')
    .find((part) => part.trim().startsWith(prefix));
  const secret = pair?.trim().slice(prefix.length);
  return secret !== undefined && SECRET.test(secret) ? secret : undefined;
}

/**
 * Sets the secret of a same-origin browser, or keeps an existing one: another tab may be signing
 * in. Undefined for other callers.
 */
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
    `${cookieName(isSecure)}=${secret}; Path=/; Max-Age=${maxAge_s}; HttpOnly; SameSite=Strict` +
      (isSecure ? '; Secure' : ''),
  );
  return secret;
}

/** The origin of a request, and the language of the mails that it causes. */
export function readOrigin(request: FastifyRequest): RequestOrigin {
  const agent = request.headers['user-agent'] ?? '';
  const challengeSolution = request.headers['challenge-solution'];
  return {
    ip: request.ip,
    userAgent: agent.slice(0, 400),
    language: readLanguage(request.headers['accept-language']),
    ...(typeof challengeSolution === 'string' && { challengeSolution }),
  };
}
