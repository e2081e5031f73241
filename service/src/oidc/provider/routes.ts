/** The protocol endpoints as routes of the service; the provider answers them. */
import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { TSchema } from 'typebox';
import type { HttpServer } from '../../http/index.ts';
import { parseExact } from '../../lib/exact-json.ts';
import { Failure } from '../../lib/failures.ts';
import { delegateToProvider, type Form } from './delegate-to-provider.ts';
import { OAuthError, sendOAuthError } from './oauth-errors.ts';
import type { ProviderHandler } from './provider-cache.ts';
import {
  applyAliases,
  checkForm,
  formOfJson,
  parseForm,
  prepareAuthorizationUrl,
  toExchangeForm,
} from './read-form.ts';
import { REQUESTS } from './request-schemas.ts';
import {
  DeviceAuthorization,
  Empty,
  Introspection,
  Metadata,
  Redirect,
  TokenAnswer,
} from './schemas.ts';

export interface ProtocolDeps {
  readonly baseUrl: string;
  getProvider(): Promise<ProviderHandler>;
}

interface Description {
  readonly summary: string;
  readonly description: string;
  readonly response: Record<number, TSchema>;
  readonly documents?: (typeof REQUESTS)[keyof typeof REQUESTS];
}

function describe({ documents, ...schema }: Description): RouteShorthandOptions {
  return {
    config: { access: 'open', ...(documents && { documents }) },
    schema: { tags: ['OpenID Connect'], ...schema },
  };
}

function isJson(request: FastifyRequest): boolean {
  return /^application\/json\b/i.test(request.headers['content-type'] ?? '');
}

/** The body as a form, whichever content type it has. */
function readForm(request: FastifyRequest): Form {
  const { body } = request;
  if (body === undefined || body === null) return {};
  return checkForm(isJson(request) ? formOfJson(body) : (body as Form));
}

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
  app.setErrorHandler(sendOAuthError);
}

/** Registers the endpoints that the provider answers. */
export function registerProtocol(app: HttpServer, deps: ProtocolDeps): void {
  app.register(async (scope) => {
    installParsers(scope);
    registerAuthorization(scope, deps);
    registerTokenEndpoint(scope, deps);
    registerOtherEndpoints(scope, deps);
  });
}

async function serve(
  { getProvider, baseUrl }: ProtocolDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  form?: Form,
): Promise<FastifyReply> {
  await delegateToProvider(await getProvider(), request, reply, { baseUrl, form });
  return reply;
}

function registerAuthorization(app: HttpServer, deps: ProtocolDeps): void {
  app.get(
    '/oauth2/authorize',
    describe({
      summary: 'Start an authorization',
      description:
        'OpenID Connect authorization request: `response_type=code`, `client_id`, ' +
        '`redirect_uri`, PKCE with `code_challenge_method=S256` (required). Answers 302 to ' +
        'the authorization page with `interaction_id`, or, if the user need not be asked, to ' +
        'the client with a code.',
      response: { 302: Redirect },
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
      summary: 'Exchange an access token, or start an authorization by POST',
      description:
        'JSON `{access_token, client_id, node_id?, scope?}` exchanges the access token of a ' +
        'login for a device token and answers like the token endpoint; a confidential client ' +
        'authenticates. A form with `response_type` is an OpenID Connect authorization ' +
        'request and is answered 302 to the same GET. Anything else is 400.',
      response: { 200: TokenAnswer, 302: Redirect },
      documents: REQUESTS.postedAuthorization,
    }),
    async (request, reply) => {
      if (isJson(request)) {
        // Cookies are ignored here.
        delete request.raw.headers.cookie;
        return serve(deps, request, reply, toExchangeForm(request.body));
      }
      const form = readForm(request);
      if (form.response_type === undefined)
        throw new OAuthError(
          'invalid_request',
          'send JSON with access_token and client_id, or a form with response_type',
        );
      const location = `${deps.baseUrl}/oauth2/authorize?${new URLSearchParams(form)}`;
      return reply.code(302).header('location', location).send();
    },
  );
  app.get(
    '/oauth2/authorize/:interaction_id',
    describe({
      summary: 'Continue after consent',
      description:
        'The address of `redirect_to` of the consent: needs its ticket, which is accepted ' +
        'once, and the cookie of the browser that started the request. Ends at the client ' +
        'with a code or an error.',
      response: { 302: Redirect },
      documents: REQUESTS.resume,
    }),
    async (request, reply) => serve(deps, request, reply),
  );
}

function registerTokenEndpoint(app: HttpServer, deps: ProtocolDeps): void {
  app.post(
    '/oauth2/token',
    describe({
      summary: 'Get tokens',
      description:
        'Grants: `authorization_code` (with `code_verifier`; `authorization_code` is an ' +
        'alias of `code`), `refresh_token`, `client_credentials`, ' +
        '`urn:ietf:params:oauth:grant-type:device_code`, ' +
        '`urn:ietf:params:oauth:grant-type:token-exchange`. Answers `access_token`, the same ' +
        'as `device_token`, `token_type`, `expires_in`, `scope`, and, if requested, ' +
        '`id_token` and `refresh_token`.',
      response: { 200: TokenAnswer },
      documents: REQUESTS.token,
    }),
    async (request, reply) => serve(deps, request, reply, applyAliases(readForm(request))),
  );
}

function registerOtherEndpoints(app: HttpServer, deps: ProtocolDeps): void {
  const posts: readonly (Description & { readonly path: string })[] = [
    {
      path: '/oauth2/revoke',
      summary: 'Revoke a token (RFC 7009)',
      description:
        "The client's own access, device or refresh token; a refresh token revokes its family.",
      response: { 200: Empty },
      documents: REQUESTS.presentedToken,
    },
    {
      path: '/oauth2/introspect',
      summary: 'Introspect a token (RFC 7662)',
      description:
        'Whether a token is active, and its claims. Public clients can introspect their own ' +
        'tokens only.',
      response: { 200: Introspection },
      documents: REQUESTS.presentedToken,
    },
    {
      path: '/oauth2/device_authorization',
      summary: 'Start a device flow (RFC 8628)',
      description:
        'Answers `device_code`, `user_code`, `verification_uri`, ' +
        '`verification_uri_complete`, `expires_in`; poll every 5 s. An earlier poll is ' +
        'answered `slow_down`, and the interval is 5 s longer from then on.',
      response: { 200: DeviceAuthorization },
      documents: REQUESTS.deviceAuthorization,
    },
  ];
  for (const { path, ...description } of posts)
    app.post(path, describe(description), async (request, reply) =>
      serve(deps, request, reply, readForm(request)),
    );
  const discovery = describe({
    summary: 'Discovery',
    description: 'Issuer, endpoints, supported algorithms and claims.',
    response: { 200: Metadata },
  });
  for (const name of ['openid-configuration', 'oauth-authorization-server'])
    app.get(`/.well-known/${name}`, discovery, async (request, reply) =>
      serve(deps, request, reply),
    );
}
