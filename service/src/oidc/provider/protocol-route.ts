/** What the routes of the protocol share: they check the body, and the provider answers. */
import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { TSchema } from 'typebox';
import type { OperationSchema, PageLook } from '../../http/index.ts';
import type { CallerLimits } from './caller-limits.ts';
import { delegateToProvider, type Form } from './delegate-to-provider.ts';
import { presentedClient, withoutEmptySecret } from './presented-client.ts';
import type { ProviderHandler } from './provider-cache.ts';
import { checkForm, formOfJson } from './read-form.ts';
import type { Page } from './schemas.ts';

export interface ProtocolDeps {
  readonly baseUrl: string;
  getProvider(): Promise<ProviderHandler>;
  readonly limits: CallerLimits;
  /** Of the pages. */
  readonly look: () => PageLook;
}

export interface Description {
  readonly operation: OperationSchema;
  readonly response: Record<number, TSchema | typeof Page>;
  readonly documents?: Readonly<Record<string, object>>;
}

export function describe({ documents, operation, response }: Description): RouteShorthandOptions {
  return {
    config: { access: 'open', ...(documents && { documents }) },
    schema: { ...operation, response },
  };
}

export function isJson(request: FastifyRequest): boolean {
  return /^application\/json\b/i.test(request.headers['content-type'] ?? '');
}

/** The body as a form, whichever content type it has. */
export function readForm(request: FastifyRequest): Form {
  const { body } = request;
  if (body === undefined || body === null) return {};
  return checkForm(isJson(request) ? formOfJson(body) : (body as Form));
}

export async function serve(
  { getProvider, baseUrl }: ProtocolDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  form?: Form,
): Promise<FastifyReply> {
  await delegateToProvider(await getProvider(), request, reply, { baseUrl, form });
  return reply;
}

/** An endpoint where clients authenticate. */
export async function serveClient(
  deps: ProtocolDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  sent: Form,
): Promise<FastifyReply> {
  const form = withoutEmptySecret(request, sent);
  deps.limits.checkSecret(request.ip, presentedClient(request.headers.authorization, form));
  return serve(deps, request, reply, form);
}
