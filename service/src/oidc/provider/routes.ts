/** The protocol endpoints as routes of the service; the provider answers them. */

import type { HttpServer } from '../../http/index.ts';
import { parseExact } from '../../lib/exact-json.ts';
import { Failure } from '../../lib/failures.ts';
import { registerLogout } from '../logout/routes.ts';
import { operations } from '../operations.ts';
import { toParameters } from './delegate-to-provider.ts';
import { createErrorHandler, OAuthError } from './oauth-errors.ts';
import {
  type Description,
  describe,
  isJson,
  type ProtocolDeps,
  readForm,
  serve,
  serveClient,
} from './protocol-route.ts';
import {
  applyAliases,
  parseForm,
  prepareAuthorizationUrl,
  preparePushedRequest,
  requireOneResource,
  toExchangeForm,
} from './read-form.ts';
import { REQUESTS } from './request-schemas.ts';
import {
  DeviceAuthorization,
  Empty,
  Introspection,
  Metadata,
  Page,
  PushedAuthorization,
  Redirect,
  TokenAnswer,
} from './schemas.ts';

function installParsers(app: HttpServer): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, body: string | Buffer) => parseForm(body.toString()),
  );
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: unknown, body: string | Buffer): Promise<unknown> => {
      try {
        return parseExact(body.toString(), true);
      } catch (error) {
        const detail = error instanceof Failure ? error.details.detail : undefined;
        throw new OAuthError('invalid_request', detail ?? 'the body is not valid JSON');
      }
    },
  );
}

/** Registers the endpoints that the provider answers. */
export function registerProtocol(
  app: HttpServer,
  deps: ProtocolDeps,
  ...more: readonly ((scope: HttpServer) => void)[]
): void {
  app.register(async (scope) => {
    installParsers(scope);
    scope.setErrorHandler(createErrorHandler(deps.look));
    registerAuthorization(scope, deps);
    registerTokenEndpoint(scope, deps);
    registerOtherEndpoints(scope, deps);
    registerLogout(scope, deps);
    for (const register of more) register(scope);
  });
}

function registerAuthorization(app: HttpServer, deps: ProtocolDeps): void {
  app.get(
    '/oauth2/authorize',
    describe({
      operation: operations.startAuthorization,
      response: { 200: Page, 302: Redirect },
      documents: REQUESTS.authorization,
    }),
    async (request, reply) => {
      request.raw.url = prepareAuthorizationUrl(request.raw.url ?? '');
      return serve(deps, request, reply);
    },
  );
  app.post(
    '/oauth2/authorize',
    describe({
      operation: operations.exchangeToken,
      response: { 200: TokenAnswer, 302: Redirect },
      documents: REQUESTS.postedAuthorization,
    }),
    async (request, reply) => {
      if (isJson(request)) {
        // Cookies are ignored here.
        delete request.raw.headers.cookie;
        return serveClient(deps, request, reply, toExchangeForm(request.body));
      }
      const form = readForm(request);
      if (form.response_type === undefined)
        throw new OAuthError(
          'invalid_request',
          'send JSON with access_token and client_id, or a form with response_type',
        );
      const location = `${deps.baseUrl}/oauth2/authorize?${toParameters(form)}`;
      return reply.code(302).header('location', location).send();
    },
  );
  app.get(
    '/oauth2/authorize/:interaction_id',
    describe({
      operation: operations.resumeAuthorization,
      response: { 200: Page, 302: Redirect },
      documents: REQUESTS.resume,
    }),
    async (request, reply) => serve(deps, request, reply),
  );
}

function registerTokenEndpoint(app: HttpServer, deps: ProtocolDeps): void {
  app.post(
    '/oauth2/token',
    describe({
      operation: operations.createToken,
      response: { 200: TokenAnswer },
      documents: REQUESTS.token,
    }),
    async (request, reply) => {
      const form = applyAliases(requireOneResource(readForm(request)));
      return serveClient(deps, request, reply, form);
    },
  );
}

/** Endpoints that public clients make the service store something with. */
const ANONYMOUS: ReadonlySet<string> = new Set(['/oauth2/device_authorization', '/oauth2/par']);

function registerOtherEndpoints(app: HttpServer, deps: ProtocolDeps): void {
  const posts: readonly (Description & { readonly path: string })[] = [
    {
      path: '/oauth2/revoke',
      operation: operations.revokeToken,
      response: { 200: Empty },
      documents: REQUESTS.presentedToken,
    },
    {
      path: '/oauth2/introspect',
      operation: operations.introspectToken,
      response: { 200: Introspection },
      documents: REQUESTS.presentedToken,
    },
    {
      path: '/oauth2/par',
      operation: operations.pushAuthorization,
      response: { 201: PushedAuthorization },
      documents: REQUESTS.pushedAuthorization,
    },
    {
      path: '/oauth2/device_authorization',
      operation: operations.startDeviceAuthorization,
      response: { 200: DeviceAuthorization },
      documents: REQUESTS.deviceAuthorization,
    },
  ];
  for (const { path, ...description } of posts)
    app.post(path, describe(description), async (request, reply) => {
      if (ANONYMOUS.has(path)) await deps.limits.countDeviceRequest(request.ip);
      const form = readForm(request);
      const isPushed = path === '/oauth2/par' && form.request === undefined;
      return serveClient(deps, request, reply, isPushed ? preparePushedRequest(form) : form);
    });
  const discovery = [
    { name: 'openid-configuration', operation: operations.getOpenIdConfiguration },
    { name: 'oauth-authorization-server', operation: operations.getAuthorizationServerMetadata },
  ];
  for (const { name, operation } of discovery)
    app.get(
      `/.well-known/${name}`,
      describe({ operation, response: { 200: Metadata } }),
      async (request, reply) => serve(deps, request, reply),
    );
}
