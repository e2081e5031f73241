/**
 * Serves the console: hashed files that may be kept for ever, and `index.html` under the console's own paths with a
 * fresh nonce in every answer. The paths are listed one by one, so that none can shadow an API path.
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isLoopbackUrl } from '../config.ts';
import { failure } from '../lib/failures.ts';

const FOLDER = fileURLToPath(new URL('../../../console/dist/', import.meta.url));
const NONCE_PLACEHOLDER = /__CSP_NONCE__/g;
const NONCE_BYTES = 18;
const ASSET_MAX_AGE_MS = 31_536_000_000;

const SIGN_IN_PATH = '/authorize';

/** Every path at which the console may be opened or reloaded. */
export const CONSOLE_PATHS = [
  '/',
  SIGN_IN_PATH,
  '/callback',
  '/device',
  '/wallets',
  '/wallets/*',
  '/deposits',
  '/deposits/*',
  '/devices',
  '/devices/*',
  '/people',
  '/security',
  '/security/*',
  '/operator',
] as const;

/** What the pages may do: their own files and calls, style elements by nonce, no inline script, no other host. */
function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'none'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ');
}

async function readPage(folder: string, file: string): Promise<string> {
  try {
    return await readFile(`${folder}${file}`, 'utf8');
  } catch (error) {
    throw failure('unavailable', {
      detail: 'The console is not built: run "npm run build -w console".',
      cause: error,
    });
  }
}

export interface ConsoleOptions {
  /** Public address of the service; the console signs in only there. */
  readonly baseUrl?: string;
  /** People sign in on a page of another origin: the console is told. */
  readonly isSignInElsewhere?: boolean;
  /** Where the console was built to. */
  readonly folder?: string;
}

/** The same page at the address that the console signs in at, for who typed `127.0.0.1` where it is `localhost`. */
function properAddress(request: FastifyRequest, baseUrl: string | undefined): string | undefined {
  if (
    baseUrl === undefined ||
    !isLoopbackUrl(baseUrl) ||
    !isLoopbackUrl(`http://${request.headers.host}`)
  )
    return undefined;
  return request.headers.host === new URL(baseUrl).host ? undefined : `${baseUrl}${request.url}`;
}

/** Registers the console. */
export async function installConsole(
  app: FastifyInstance,
  { baseUrl, isSignInElsewhere = false, folder = FOLDER }: ConsoleOptions = {},
): Promise<void> {
  await app.register(fastifyStatic, {
    root: `${folder}assets`,
    prefix: '/assets/',
    decorateReply: false,
    index: false,
    immutable: true,
    maxAge: ASSET_MAX_AGE_MS,
    preCompressed: true,
    cacheControl: true,
    setHeaders: (reply) =>
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('vary', 'Accept-Encoding'),
  });
  const pages = new Map<string, Promise<string>>();
  const loadPage = (path: string): Promise<string> => {
    const file = path === SIGN_IN_PATH ? 'authorize.html' : 'index.html';
    const page =
      pages.get(file) ??
      readPage(folder, file).catch((error: unknown) => {
        pages.delete(file);
        throw error;
      });
    pages.set(file, page);
    return page;
  };
  const sendPage = async (
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
  ): Promise<FastifyReply> => {
    const proper = properAddress(request, baseUrl);
    if (proper !== undefined) return reply.redirect(proper, 302);
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    const page = (await loadPage(path))
      .replace(
        '<head>',
        isSignInElsewhere ? '<head><meta name="edge-sign-in-elsewhere">' : '<head>',
      )
      .replaceAll(NONCE_PLACEHOLDER, nonce);
    return reply
      .type('text/html; charset=utf-8')
      .headers({
        'content-security-policy': pagePolicy(nonce),
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy':
          'publickey-credentials-get=(self), publickey-credentials-create=(self), camera=(), microphone=(), geolocation=()',
      })
      .serializer((body: string) => body)
      .send(page);
  };
  const hidden = {
    logLevel: 'warn',
    config: { access: 'open', allowsUnstorableText: true },
    schema: { hide: true },
  } as const;
  for (const path of CONSOLE_PATHS)
    app.get(path, { ...hidden, exposeHeadRoute: true }, (request, reply) =>
      sendPage(request, reply, path),
    );
  // A person who opens an address that does not exist is told so by the console; a program, as everywhere.
  app.get('/*', hidden, (request, reply) => {
    if (!/^text\/html\b/.test(request.headers.accept ?? '')) throw failure('not_found');
    return sendPage(request, reply.code(404), '/');
  });
}
