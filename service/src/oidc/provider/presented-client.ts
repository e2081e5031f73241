/** The client that a request names, and whether it tries to authenticate. */
import type { FastifyRequest } from 'fastify';
import type { Form } from './delegate-to-provider.ts';

interface BasicCredentials {
  readonly id: string;
  readonly secret: string;
}

/** Undefined where the header is absent or malformed; the provider answers that. */
function readBasic(authorization = ''): BasicCredentials | undefined {
  const [, encoded] = /^basic ([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? [];
  if (encoded === undefined) return undefined;
  const [id, secret] = Buffer.from(encoded, 'base64').toString().split(/:(.*)/s);
  if (id === undefined || secret === undefined) return undefined;
  try {
    return { id: decodeURIComponent(id.replaceAll('+', ' ')), secret };
  } catch {
    return undefined;
  }
}

export interface PresentedClient {
  readonly id: string;
  readonly hasSecret: boolean;
}

export function presentedClient(authorization: string | undefined, form: Form): PresentedClient {
  const basic = readBasic(authorization);
  const { client_id, client_secret = '', client_assertion = '' } = form;
  return {
    id: basic?.id ?? client_id ?? '',
    hasSecret: (basic?.secret ?? '') !== '' || client_secret !== '' || client_assertion !== '',
  };
}

/**
 * A public client that sends HTTP Basic with an empty secret, as some libraries do, names itself:
 * RFC 6749 2.3.1 lets an empty secret be left out. A confidential client gains nothing by it.
 */
export function withoutEmptySecret(request: FastifyRequest, form: Form): Form {
  const basic = readBasic(request.headers.authorization);
  if (basic?.secret !== '' || (form.client_id ?? basic.id) !== basic.id) return form;
  delete request.raw.headers.authorization;
  return { ...form, client_id: basic.id };
}
