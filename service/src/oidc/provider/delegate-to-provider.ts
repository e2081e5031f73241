/** Hands a request of the server over to the provider. */
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { toOriginForm } from '../../http/index.ts';
import { withoutDoubledCookies } from './browser-cookies.ts';

export type Form = Record<string, string>;

/**
 * Rewrites the request as it looks at the service's public address, whatever `Host`, forwarded
 * headers or absolute URL it came with: the provider builds URLs from them.
 */
function normaliseForwardedHeaders(
  req: IncomingMessage & { originalUrl?: string },
  ip: string,
  baseUrl: string,
): void {
  const { host, protocol, pathname } = new URL(baseUrl);
  req.headers.host = host;
  req.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  req.headers['x-forwarded-for'] = ip;
  delete req.headers['x-forwarded-host'];
  if (req.headers.cookie !== undefined)
    req.headers.cookie = withoutDoubledCookies(req.headers.cookie);
  req.url = toOriginForm(req.url ?? '');
  // The library takes what precedes the path here as the prefix of its addresses.
  req.originalUrl = `${pathname === '/' ? '' : pathname}${req.url}`;
}

/** Lets the provider answer. `form` is the parsed body. */
export async function delegateToProvider(
  handle: ReturnType<Provider['callback']>,
  request: FastifyRequest,
  reply: FastifyReply,
  { baseUrl, form }: { baseUrl: string; form?: Form | undefined },
): Promise<void> {
  const { raw } = request;
  normaliseForwardedHeaders(raw, request.ip, baseUrl);
  if (form) {
    // The library takes a body that a framework has parsed from `req.body`.
    raw.headers['content-type'] = 'application/x-www-form-urlencoded';
    Object.assign(raw, { body: form });
  }
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
  await handle(raw, reply.raw).catch((error: unknown) => {
    request.log.error({ err: error }, 'the provider failed');
    reply.raw.destroy();
  });
}
