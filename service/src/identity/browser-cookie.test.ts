import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { bindBrowser, readBrowser } from './browser-cookie.ts';

const requestOf = (headers: Record<string, string>): FastifyRequest =>
  ({ headers }) as unknown as FastifyRequest;

function bind(
  headers: Record<string, string>,
  isSecure: boolean,
): { secret: string | undefined; cookie: string | undefined } {
  let cookie: string | undefined;
  const reply = {
    header: (_name: string, value: string) => {
      cookie = value;
    },
  } as unknown as FastifyReply;
  return { secret: bindBrowser(requestOf(headers), reply, isSecure, 300), cookie };
}

test('over https the cookie is Secure and of this host only', () => {
  const { secret, cookie } = bind({ 'sec-fetch-site': 'same-origin' }, true);
  expect(cookie).toBe(
    `__Host-edge-sign-in=${secret}; Path=/; Max-Age=300; HttpOnly; SameSite=Strict; Secure`,
  );
  expect(readBrowser(requestOf({ cookie: `a=b; __Host-edge-sign-in=${secret}` }), true)).toBe(
    secret,
  );
  // A cookie without the prefix may have been planted by another subdomain.
  expect(readBrowser(requestOf({ cookie: `edge-sign-in=${secret}` }), true)).toBeUndefined();
});

test('another tab of the same browser keeps its secret; a malformed one is replaced', () => {
  const { secret = '' } = bind({ 'sec-fetch-site': 'same-origin' }, false);
  expect(
    bind({ 'sec-fetch-site': 'same-origin', cookie: `edge-sign-in=${secret}` }, false).secret,
  ).toBe(secret);
  expect(
    bind({ 'sec-fetch-site': 'same-origin', cookie: 'edge-sign-in=short' }, false).secret,
  ).toMatch(/^[\w-]{43}$/);
});

test('programs and other origins get none', () => {
  for (const headers of [
    {},
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'cross-site' },
  ] as Record<string, string>[]) {
    expect(bind(headers, true)).toEqual({ secret: undefined, cookie: undefined });
  }
});
