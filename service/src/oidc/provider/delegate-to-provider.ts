/** Hands a request of the server over to the provider. */
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { withoutDoubledCookies } from './browser-cookies.ts';

/** Paths that a request was made to, where the provider is shown another. */
const askedPaths = new WeakMap<IncomingMessage, string>();

/** The path that the client asked for. */
export function originalPathOf(req: IncomingMessage): string {
  return askedPaths.get(req) ?? (req.url ?? '').split('?', 1)[0] ?? '';
}

/** Shows the provider another path. */
export function rewriteUrl(req: IncomingMessage, url: string): void {
  askedPaths.set(req, originalPathOf(req));
  req.url = url;
}

export type Form = Record<string, string | string[]>;

let base:
  | {
      readonly url: string;
      readonly host: string;
      readonly protocol: string;
      readonly pathname: string;
    }
  | undefined;

function readBase(baseUrl: string): NonNullable<typeof base> {
  if (base?.url === baseUrl) return base;
  const { host, protocol, pathname } = new URL(baseUrl);
  base = { url: baseUrl, host, protocol: protocol.slice(0, -1), pathname };
  return base;
}

/**
 * Makes the request look as it does at the service's public address, whatever Host or forwarded headers it came with:
 * the provider builds addresses from them.
 */
export function publish(req: IncomingMessage, request: FastifyRequest, baseUrl: string): void {
  const { host, protocol, pathname } = readBase(baseUrl);
  req.headers.host = host;
  req.headers['x-forwarded-proto'] = protocol;
  req.headers['x-forwarded-for'] = request.ip;
  delete req.headers['x-forwarded-host'];
  if (req.headers.cookie !== undefined)
    req.headers.cookie = withoutDoubledCookies(req.headers.cookie);
  if (pathname !== '/') Object.assign(req, { originalUrl: `${pathname}${req.url ?? ''}` });
}

/** The body was read by the server already; the provider reads it once more, from here. */
function replayBody(req: IncomingMessage, form: Form): void {
  const pairs = Object.entries(form).flatMap(([name, value]) =>
    [value].flat().map((item): [string, string] => [name, item]),
  );
  const body = Buffer.from(new URLSearchParams(pairs).toString());
  req.headers['content-type'] = 'application/x-www-form-urlencoded';
  req.headers['content-length'] = String(body.length);
  delete req.headers['transfer-encoding'];
  Object.defineProperties(req, {
    readable: { value: true },
    iterator: {
      value: async function* iterate(): AsyncGenerator<Buffer> {
        yield body;
      },
    },
  });
}

const handlers = new WeakMap<Provider, ReturnType<Provider['callback']>>();

/** Koa composes its middleware at each `callback()`: once is enough. */
function handlerOf(provider: Provider): ReturnType<Provider['callback']> {
  const known = handlers.get(provider);
  if (known) return known;
  const handler = provider.callback();
  handlers.set(provider, handler);
  return handler;
}

/** Lets the provider answer. `form` is the body, read already. */
export function forward(
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
  form?: Form,
): void {
  const { raw } = request;
  if (form) replayBody(raw, form);
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
  handlerOf(provider)(raw, reply.raw).catch((error: unknown) => {
    request.log.error({ err: error }, 'the provider failed');
    reply.raw.destroy();
  });
}
