/**
 * Serves the console: hashed files that browsers may cache for ever, and `index.html` under the
 * console's paths with a fresh nonce per response. The paths are listed, so that none can shadow an
 * API path.
 */
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isLoopbackUrl } from '../config.ts';
import { CONSOLE_PATHS, isSignInPath } from './console-paths.ts';
import { readBuilt } from './read-built.ts';
import type { HttpServer } from './types.ts';

const FOLDER = fileURLToPath(new URL('../../../console/dist/', import.meta.url));
const NONCE_PLACEHOLDER = /__CSP_NONCE__/g;
const NONCE_BYTES = 18;
const ASSET_MAX_AGE_MS = 31_536_000_000;
/** The service worker, for notifications by Web Push. */
const WORKER = 'push-worker.js';

/** Hosts that the widget of a challenge needs. */
const WIDGET_HOSTS: Readonly<Record<string, string>> = {
  turnstile: ' https://challenges.cloudflare.com',
  hcaptcha: ' https://hcaptcha.com https://*.hcaptcha.com',
};

/** Own files and calls, inline elements by nonce; no other host except a configured widget's. */
function pagePolicy(nonce: string, challenge: string): string {
  const widget = WIDGET_HOSTS[challenge] ?? '';
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'${widget}`,
    `style-src 'self' 'nonce-${nonce}'${widget}`,
    "style-src-attr 'none'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "manifest-src 'self'",
    `connect-src 'self'${widget}`,
    ...(widget === '' ? [] : [`frame-src${widget}`]),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ');
}

export interface ConsoleOptions {
  /** Public address of the service; the console can sign in only there. */
  readonly baseUrl?: string;
  /** The sign-in page has another origin; a meta element tells the console. */
  readonly isSignInElsewhere?: boolean;
  /** Who solves challenges (`CHALLENGE`): the pages may load the widget of that provider. */
  readonly challenge?: string;
  /** Changes a page before it is sent; gets the nonce of its Content-Security-Policy. */
  readonly decorate?: (page: string, nonce: string) => string;
  /** The built console. */
  readonly folder?: string;
}

/** The same page under the host that sign-in needs: `localhost` for `127.0.0.1`. */
function findCanonicalUrl(
  request: FastifyRequest,
  baseUrl: string | undefined,
): string | undefined {
  if (
    baseUrl === undefined ||
    !isLoopbackUrl(baseUrl) ||
    !isLoopbackUrl(`http://${request.headers.host}`)
  )
    return undefined;
  return request.headers.host === new URL(baseUrl).host ? undefined : `${baseUrl}${request.url}`;
}

/** Hashed files, which browsers may keep. */
async function installAssets(app: HttpServer, folder: string): Promise<void> {
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
}

/** Pages and their files are no part of the API. */
const HIDDEN = {
  logLevel: 'warn',
  config: { access: 'open', allowsUnstorableText: true },
  schema: { hide: true },
} as const;

/** A service worker serves the pages below its own address: all. */
function installWorker(app: HttpServer, folder: string): void {
  app.get(`/${WORKER}`, { ...HIDDEN, exposeHeadRoute: true }, async (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .headers({
        // A browser asks for it from time to time, and takes a changed one.
        'cache-control': 'no-cache',
        'content-security-policy': "default-src 'none'; connect-src 'self'",
      })
      .serializer((body: string) => body)
      .send(await readBuilt(`${folder}${WORKER}`, 'npm run build -w console')),
  );
}

/** Registers the console. */
export async function installConsole(
  app: HttpServer,
  {
    baseUrl,
    isSignInElsewhere = false,
    challenge = 'off',
    decorate = (page) => page,
    folder = FOLDER,
  }: ConsoleOptions = {},
): Promise<void> {
  await installAssets(app, folder);
  installWorker(app, folder);
  const sendPage = async (
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
  ): Promise<FastifyReply> => {
    const canonicalUrl = findCanonicalUrl(request, baseUrl);
    if (canonicalUrl !== undefined) return reply.redirect(canonicalUrl, 302);
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    const file = isSignInPath(path) ? 'authorize.html' : 'index.html';
    const page = (await readBuilt(`${folder}${file}`, 'npm run build -w console'))
      .replace(
        '<head>',
        isSignInElsewhere ? '<head><meta name="edge-sign-in-elsewhere">' : '<head>',
      )
      .replaceAll(NONCE_PLACEHOLDER, nonce);
    return reply
      .type('text/html; charset=utf-8')
      .headers({
        'content-security-policy': pagePolicy(nonce, challenge),
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy':
          'publickey-credentials-get=(self), publickey-credentials-create=(self), ' +
          'camera=(), microphone=(), geolocation=()',
      })
      .serializer((body: string) => body)
      .send(decorate(page, nonce));
  };
  for (const path of CONSOLE_PATHS)
    app.get(path, { ...HIDDEN, exposeHeadRoute: true }, (request, reply) =>
      sendPage(request, reply, path),
    );
  // For an unknown path browsers get the console's page, programs a problem document.
  app.get('/*', HIDDEN, (request, reply) => {
    if (!/^text\/html\b/.test(request.headers.accept ?? '')) return reply.callNotFound();
    return sendPage(request, reply.code(404), '/');
  });
}
