/** The protocol's endpoints as routes of the service. */
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteShorthandOptions,
} from 'fastify';
import type { TSchema } from 'typebox';
import type { HttpServer } from '../../http/index.ts';
import { originOf } from '../../identity/index.ts';
import { Failure } from '../../lib/failures.ts';
import { readLanguage } from '../../lib/language.ts';
import { type ResumeDeps, resumeRequest } from '../consent/resume-request.ts';
import { type Form, forward, publish, rewriteUrl } from './delegate-to-provider.ts';
import { ERROR_PAGE_POLICY, errorPage } from './error-page.ts';
import { extractJwt } from './jwt-introspection.ts';
import type { ProviderHost } from './provider-cache.ts';
import {
  applyAliases,
  checkForm,
  formOfJson,
  LINK_ALREADY_USED,
  OAuthError,
  parseForm,
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

const TAG = 'OpenID Connect';
/** A longer request would not fit into an address any more once it is sealed. */
const REQUEST_MAX = 4096;
const EXCHANGE_FIELDS: ReadonlySet<string> = new Set([
  'access_token',
  'client_id',
  'client_secret',
  'node_id',
  'scope',
]);

export interface ProtocolDeps extends ResumeDeps {
  readonly host: ProviderHost;
}

type Documents = (typeof REQUESTS)[keyof typeof REQUESTS];

function describe(
  summary: string,
  description: string,
  response: Record<number, TSchema>,
  documents?: Documents,
): RouteShorthandOptions {
  return {
    config: { access: 'open', ...(documents && { documents }) },
    schema: { tags: [TAG], summary, description, response },
  };
}

function isForBrowser({ headers }: FastifyRequest): boolean {
  return (headers.accept ?? '').includes('text/html');
}

/** Protocol errors keep RFC 6749's shape. */
function sendOAuthError(
  error: FastifyError | OAuthError | Failure,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof OAuthError && request.method === 'GET' && isForBrowser(request))
    return reply
      .code(error.status)
      .type('text/html; charset=utf-8')
      .header('content-security-policy', ERROR_PAGE_POLICY)
      .send(
        errorPage(error.error, error.message, readLanguage(request.headers['accept-language'])),
      );
  if (error instanceof OAuthError)
    return reply.code(error.status).send({ error: error.error, error_description: error.message });
  // The internal exchange is strict: what is neither of its two kinds of body is 400.
  if (
    'code' in error &&
    error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' &&
    request.routeOptions.url === '/oauth2/authorize'
  )
    return reply
      .code(400)
      .send({ error: 'invalid_request', error_description: 'send JSON or a form' });
  const status =
    error instanceof Failure
      ? error.code === 'unavailable'
        ? 503
        : 400
      : (error.statusCode ?? 500);
  if (status < 500)
    return reply.code(status).send({ error: 'invalid_request', error_description: error.message });
  request.log.error({ err: error }, 'protocol request failed');
  const code = status === 503 ? 'temporarily_unavailable' : 'server_error';
  return reply
    .code(status)
    .send({ error: code, error_description: 'the request could not be served' });
}

function isJson(request: FastifyRequest): boolean {
  return /^application\/json\b/i.test(request.headers['content-type'] ?? '');
}

/** The body as a form, whichever way it came. */
function readForm(request: FastifyRequest): Form {
  const { body } = request;
  if (body === undefined || body === null) return {};
  return checkForm(isJson(request) ? formOfJson(body) : (body as Form));
}

/**
 * `redirect_uri` must be there, though a client has only one. `offline_access` needs the person's consent each time;
 * OpenID Connect has clients ask for it, ours need not. @throws OAuthError
 */
function prepareRequest(url: string): string {
  if (url.length > REQUEST_MAX)
    throw new OAuthError('invalid_request', `the request is longer than ${REQUEST_MAX} characters`);
  const path = url.split('?', 1)[0] ?? '';
  const parameters = new URLSearchParams(url.slice(path.length));
  if ((parameters.get('redirect_uri') ?? '') === '')
    throw new OAuthError('invalid_request', "missing required parameter(s) 'redirect_uri'");
  const mode = parameters.get('response_mode');
  if (mode !== null && mode !== 'query')
    throw new OAuthError('invalid_request', 'response_mode must be query');
  // Other types have other default modes, which would be what is refused; in the query the client reads what is wrong.
  if (mode === null && parameters.get('response_type') !== 'code') {
    parameters.append('response_mode', 'query');
    return `${path}?${parameters}`;
  }
  if (
    parameters.has('prompt') ||
    !(parameters.get('scope') ?? '').split(' ').includes('offline_access')
  )
    return url;
  parameters.append('prompt', 'consent');
  return `${path}?${parameters}`;
}

function installParsers(app: FastifyInstance): void {
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
        return JSON.parse(body.toString());
      } catch {
        throw new OAuthError('invalid_request', 'the body is not valid JSON');
      }
    },
  );
  app.setErrorHandler(sendOAuthError);
}

/** Registers the endpoints that the provider answers. */
export function registerProtocol(app: HttpServer, deps: ProtocolDeps): void {
  app.register(async (scope) => {
    installParsers(scope as unknown as FastifyInstance);
    registerAuthorization(scope as unknown as FastifyInstance, deps);
    registerTokenEndpoints(scope as unknown as FastifyInstance, deps);
  });
}

/** Serves a request by the provider, at the service's public address. */
async function serve(
  { host, baseUrl }: ProtocolDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  form?: Form,
  url?: string,
): Promise<FastifyReply> {
  const provider = await host.get();
  if (url !== undefined) rewriteUrl(request.raw, url);
  publish(request.raw, request, baseUrl);
  forward(provider, request, reply, form);
  return reply;
}

/** An internal exchange: exactly the documented fields, answered like the token endpoint. */
function exchangeForm(body: unknown): Form {
  const form = checkForm(formOfJson(body));
  const foreign = Object.keys(form).find((name) => !EXCHANGE_FIELDS.has(name));
  if (foreign !== undefined) throw new OAuthError('invalid_request', `unknown field ${foreign}`);
  const { access_token, client_id, ...rest } = form;
  if (access_token === undefined || client_id === undefined)
    throw new OAuthError('invalid_request', 'access_token and client_id are required');
  return {
    ...rest,
    client_id,
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: access_token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
  };
}

function registerAuthorization(app: FastifyInstance, deps: ProtocolDeps): void {
  app.get(
    '/oauth2/authorize',
    describe(
      'Begin an authorization',
      'OpenID Connect authorization request: `response_type=code`, `client_id`, `redirect_uri`, PKCE with `code_challenge_method=S256` (required). Answers 302 to the authorization page with `interaction_id`, or, where the person need not be asked, to the client with a code.',
      { 302: Redirect },
      REQUESTS.authorization,
    ),
    async (request, reply) =>
      serve(deps, request, reply, undefined, prepareRequest(request.raw.url ?? '')),
  );
  app.post(
    '/oauth2/authorize',
    describe(
      'Exchange an access token, or begin an authorization by POST',
      'JSON `{access_token, client_id, node_id?, scope?}` exchanges the access token of a login for a device token and answers like the token endpoint; a confidential client authenticates. A form with `response_type` is an OpenID Connect authorization request and is answered 302 to the same GET. Anything else is 400.',
      { 200: TokenAnswer, 302: Redirect },
      REQUESTS.postedAuthorization,
    ),
    async (request, reply) => {
      if (isJson(request)) {
        // Cookies decide nothing here.
        delete request.raw.headers.cookie;
        return serve(deps, request, reply, exchangeForm(request.body), '/oauth2/token');
      }
      const form = readForm(request);
      if (typeof form.response_type !== 'string')
        throw new OAuthError(
          'invalid_request',
          'send JSON with access_token and client_id, or a form with response_type',
        );
      const query = new URLSearchParams(
        Object.entries(form).flatMap(([name, value]) =>
          [value].flat().map((item): [string, string] => [name, item]),
        ),
      );
      return reply.code(302).header('location', `${deps.baseUrl}/oauth2/authorize?${query}`).send();
    },
  );
  app.get<{ Params: { interaction_id: string }; Querystring: { ticket?: string } }>(
    '/oauth2/authorize/:interaction_id',
    describe(
      'Go on after consent',
      'Where `redirect_to` of the consent leads: needs its ticket, which serves once, and the cookie of the browser that began. Ends at the client with a code or an error.',
      { 302: Redirect },
      REQUESTS.goOn,
    ),
    async (request, reply) => {
      const { interaction_id: id } = request.params;
      const { ticket } = request.query;
      const provider = await deps.host.get();
      publish(request.raw, request, deps.baseUrl);
      const resumption = { req: request.raw, res: reply.raw, origin: originOf(request), uid: id };
      const mayGoOn =
        typeof ticket === 'string' &&
        (await resumeRequest(provider, deps, { ...resumption, ticket }));
      if (mayGoOn)
        return serve(
          deps,
          request,
          reply,
          undefined,
          `/oauth2/authorize/${encodeURIComponent(id)}`,
        );
      throw new OAuthError('invalid_request', LINK_ALREADY_USED);
    },
  );
}

function registerTokenEndpoints(app: FastifyInstance, deps: ProtocolDeps): void {
  app.post(
    '/oauth2/token',
    describe(
      'Get tokens',
      'Grants: `authorization_code` (with `code_verifier`; `authorization_code` is taken as an alias of `code`), `refresh_token`, `client_credentials`, `urn:ietf:params:oauth:grant-type:device_code`, `urn:ietf:params:oauth:grant-type:token-exchange`. Answers `access_token`, the same as `device_token`, `token_type`, `expires_in`, `scope`, and `id_token` and `refresh_token` where they were asked for.',
      { 200: TokenAnswer },
      REQUESTS.token,
    ),
    async (request, reply) => serve(deps, request, reply, applyAliases(readForm(request))),
  );
  const tokenRoutes = [
    [
      '/oauth2/revoke',
      'Revoke a token (RFC 7009)',
      "The client's own access, device or refresh token; a refresh token takes its family with it.",
      Empty,
    ],
    [
      '/oauth2/introspect',
      'Introspect a token (RFC 7662)',
      'Whether a token is live, and what it says. Public clients learn of their own tokens only.',
      Introspection,
    ],
  ] as const;
  for (const [path, summary, description, answer] of tokenRoutes) {
    app.post(
      path,
      describe(summary, description, { 200: answer }, REQUESTS.tokenAsked),
      async (request, reply) => {
        const form = readForm(request);
        extractJwt(request.raw, form);
        return serve(deps, request, reply, form);
      },
    );
  }
  app.post(
    '/oauth2/device_authorization',
    describe(
      'Begin a device flow (RFC 8628)',
      'Answers `device_code`, `user_code`, `verification_uri`, `verification_uri_complete`, `expires_in`; poll every 5 s. A poll before its time is answered `slow_down`, and the interval is 5 s longer from then on.',
      { 200: DeviceAuthorization },
      REQUESTS.deviceAuthorization,
    ),
    async (request, reply) => serve(deps, request, reply, readForm(request)),
  );
  for (const path of [
    '/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server',
  ])
    app.get(
      path,
      describe('Discovery', 'Issuer, endpoints, supported algorithms and claims.', {
        200: Metadata,
      }),
      async (request, reply) => serve(deps, request, reply),
    );
}
