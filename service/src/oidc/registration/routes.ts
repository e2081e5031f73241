/** `POST /oauth2/register`. */
import { createItemValidator, type HttpServer } from '../../http/index.ts';
import { findUnstorable } from '../../lib/exact-json.ts';
import type { OidcContext } from '../context.ts';
import { OAuthError } from '../provider/oauth-errors.ts';
import { describe } from '../provider/protocol-route.ts';
import { operations } from './operations.ts';
import { registerClient } from './register-client.ts';
import { RegisteredClient, RegistrationRequest } from './registration-schemas.ts';

const validate = createItemValidator(RegistrationRequest);

function readBody(body: unknown) {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new OAuthError('invalid_client_metadata', 'the body must be a JSON object');
  const unstorable = findUnstorable(body, 'body');
  if (unstorable !== undefined)
    throw new OAuthError('invalid_client_metadata', `${unstorable} cannot be stored`);
  const checked = validate(body);
  if ('value' in checked) return checked.value;
  const { field, message } = checked.error;
  const isRedirect = field.startsWith('redirect_uris');
  throw new OAuthError(
    isRedirect ? 'invalid_redirect_uri' : 'invalid_client_metadata',
    `${field} ${message}`,
  );
}

export function registerRegistration(app: HttpServer, context: OidcContext): void {
  app.post(
    '/oauth2/register',
    describe({
      operation: operations.registerClient,
      response: { 201: RegisteredClient },
      documents: {
        body: { content: { 'application/json': { schema: RegistrationRequest } } },
      },
    }),
    async (request, reply) => {
      await context.limits.countDeviceRequest(request.ip);
      const [, token] = /^bearer ([\w-]+)$/i.exec(request.headers.authorization ?? '') ?? [];
      if (token === undefined)
        throw new OAuthError('invalid_token', 'an initial access token is required', 401);
      const client = await registerClient(context, token, readBody(request.body));
      return reply.code(201).header('cache-control', 'no-store').send(client);
    },
  );
}
