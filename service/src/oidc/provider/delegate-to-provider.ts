/** Hands a request of the server over to the provider. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { toOriginForm } from '../../http/index.ts';
import { withoutDoubledCookies } from './browser-cookies.ts';

/** The parameters of a form; resource indicators are one text, between spaces. */
export type Form = Record<string, string>;

/** A form may name several resource indicators (RFC 8707 2); no URI has a space. */
export function toParameters({ resource, ...form }: Form): URLSearchParams {
  const parameters = new URLSearchParams(form);
  for (const indicator of resource?.split(' ') ?? []) parameters.append('resource', indicator);
  return parameters;
}

/** The library takes what precedes the path in `originalUrl` as the prefix of its addresses. */
type PrefixedMessage = IncomingMessage & { originalUrl?: string };

/**
 * Rewrites the request as it looks at the service's public address, whatever `Host`, forwarded
 * headers or absolute URL it came with: the provider builds URLs from them.
 */
function normaliseForwardedHeaders(req: PrefixedMessage, ip: string, baseUrl: string): void {
  const { host, protocol, pathname } = new URL(baseUrl);
  req.headers.host = host;
  req.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  req.headers['x-forwarded-for'] = ip;
  delete req.headers['x-forwarded-host'];
  if (req.headers.cookie !== undefined)
    req.headers.cookie = withoutDoubledCookies(req.headers.cookie);
  req.url = toOriginForm(req.url ?? '');
  req.originalUrl = `${pathname === '/' ? '' : pathname}${req.url}`;
}

/** The request with a form as its body: the server has read the body that it came with. */
function withForm(raw: PrefixedMessage, form: Form): PrefixedMessage {
  const { headers, httpVersion, httpVersionMajor, method, originalUrl, socket, url } = raw;
  const body = Buffer.from(toParameters(form).toString());
  const head = {
    ...headers,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(body.length),
  };
  const rest = { httpVersion, httpVersionMajor, method, originalUrl, socket, url };
  return Object.assign(Readable.from([body]), rest, { headers: head }) as PrefixedMessage;
}

/** Lets the provider answer. `form` is the parsed body. */
export async function delegateToProvider(
  handle: ReturnType<Provider['callback']>,
  request: FastifyRequest,
  reply: FastifyReply,
  { baseUrl, form }: { baseUrl: string; form?: Form | undefined },
): Promise<void> {
  normaliseForwardedHeaders(request.raw, request.ip, baseUrl);
  const raw = form ? withForm(request.raw, form) : request.raw;
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
  await handle(raw, reply.raw).catch((error: unknown) => {
    request.log.error({ err: error }, 'the provider failed');
    reply.raw.destroy();
  });
}
