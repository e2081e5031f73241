/** Middleware around the provider's routes: what the contract adds, and our own grant types. */
import { decodeJwt } from 'jose';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { CONSOLE_CLIENT_ID } from '../../http/index.ts';
import { GRANT_TYPES, TOKEN_EXCHANGE } from '../clients/index.ts';
import { resumeRequest } from '../consent/resume-request.ts';
import type { OidcContext } from '../context.ts';
import { POLL_EVERY_S } from '../device-flow/enforce-poll-interval.ts';
import { exchangeGrant } from '../exchange/exchange-grant.ts';
import { adjustLogout } from '../logout/finish-logout.ts';
import { DEVICE_SCOPES, splitScopes } from '../tokens/scopes.ts';
import type { TokenClaims } from '../tokens/sign-token.ts';
import { ROUTES } from './build-provider.ts';
import { clientCredentialsGrant } from './client-credentials.ts';
import { RESPONSE_MODES } from './client-metadata.ts';
import type { Form } from './delegate-to-provider.ts';
import { describeRefreshToken } from './introspection.ts';
import type { Library } from './library.ts';
import { answerForJwt, successorOf } from './library-limits.ts';
import { presentedClient } from './presented-client.ts';
import { stateOf } from './request-state.ts';
import { answerFailure, storeAnswer } from './write-deferred.ts';

const FORM_POLICY = "default-src 'none'; script-src; base-uri 'none'; frame-ancestors 'none'";
const CORS_HEADERS = ['access-control-allow-origin', 'access-control-expose-headers'];

interface TokenBody {
  access_token?: string;
  device_token?: string;
  refresh_token?: string;
  scope?: string;
}

/** Corrects what the library publishes in general to what this service supports. */
function correctDiscovery(body: Record<string, unknown>): void {
  Object.assign(body, {
    response_modes_supported: RESPONSE_MODES,
    prompt_values_supported: ['none', 'login', 'consent', 'select_account', 'create'],
    subject_types_supported: ['public', 'pairwise'],
    registration_endpoint: `${body.issuer}/oauth2/register`,
    // Delivered by a queue of ours (logout/), not by the library.
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    claims_supported: [
      'sub',
      'iss',
      'aud',
      'exp',
      'iat',
      'auth_time',
      'amr',
      'acr',
      'sid',
      'nonce',
      'email',
      'email_verified',
      'groups',
      'nickname',
      'roles',
    ],
  });
}

/** Names the response type as the error, where the library names the response mode. */
function nameResponseType(ctx: KoaContextWithOIDC): void {
  const type = ctx.oidc.params?.response_type;
  const location = URL.parse(ctx.response.get('location'));
  if (
    typeof type !== 'string' ||
    type === 'code' ||
    location?.searchParams.get('error') !== 'invalid_request'
  )
    return;
  location.searchParams.set('error', 'unsupported_response_type');
  location.searchParams.set('error_description', 'response_type must be code');
  ctx.set('location', location.href);
}

/** A grant type that the client may not use has an error of its own (RFC 6749 5.2). */
function nameGrantType(ctx: KoaContextWithOIDC): void {
  const { client, params } = ctx.oidc;
  const body = ctx.body as { error?: string } | undefined;
  const grantType = params?.grant_type;
  if (
    body?.error === 'invalid_request' &&
    GRANT_TYPES.some((known) => known === grantType) &&
    client?.grantTypeAllowed(String(grantType)) === false
  )
    body.error = 'unauthorized_client';
}

/** The console's access token is a business token; its device token is issued beside it. */
async function addConsoleDeviceToken(body: TokenBody, { sign }: OidcContext): Promise<void> {
  const {
    may_operate: _operator,
    email: _email,
    ...claims
  } = decodeJwt<TokenClaims>(body.access_token ?? '');
  const deviceScopes = splitScopes(claims.scope).filter((name) => DEVICE_SCOPES.includes(name));
  body.scope = claims.scope;
  const { token } = await sign({ ...claims, token_use: 'device', scope: deviceScopes.join(' ') });
  body.device_token = token;
}

async function adjustTokens(ctx: KoaContextWithOIDC, context: OidcContext): Promise<void> {
  const body = ctx.body as TokenBody;
  const { client, params } = ctx.oidc;
  const grantType = params?.grant_type;
  if (body.access_token === undefined || grantType === 'client_credentials') return;
  const successor = successorOf(ctx, context.masterKey);
  if (successor !== undefined) body.refresh_token = successor;
  // A token for another API is no device token.
  if (decodeJwt(body.access_token).aud !== context.baseUrl) return;
  if (client?.clientId === CONSOLE_CLIENT_ID && grantType !== TOKEN_EXCHANGE)
    await addConsoleDeviceToken(body, context);
  else body.device_token = body.access_token;
}

/** Completes answers as the pages and the contract expect them. */
async function adjustAnswer(ctx: KoaContextWithOIDC, context: OidcContext): Promise<void> {
  const { route } = ctx.oidc;
  await adjustLogout(ctx, context);
  // The contract requires 302; a GET has no body that could be sent on.
  if (ctx.status === 303 && ctx.method === 'GET') ctx.status = 302;
  if (route === 'authorization') nameResponseType(ctx);
  await answerForJwt(ctx, context);
  if (route === 'token') nameGrantType(ctx);
  if (ctx.status !== 200) return;
  if (route === 'introspection') await describeRefreshToken(ctx, context);
  if (route === 'discovery') correctDiscovery(ctx.body as Record<string, unknown>);
  if (route === 'device_authorization')
    Object.assign(ctx.body as object, { interval: POLL_EVERY_S });
  if (route === 'token') await adjustTokens(ctx, context);
  if (route === 'revocation') {
    // No body at all: clients take an empty text for a wrong content type.
    ctx.body = null;
    ctx.status = 200;
  }
}

export function installMiddleware(
  provider: Provider,
  library: Library,
  context: OidcContext,
): void {
  provider.use(async (koaContext, next) => {
    const ctx = koaContext as unknown as KoaContextWithOIDC;
    const state = stateOf(ctx);
    state.receivedAt = context.clock.now();
    state.deferred = new Map();
    // The server decides about CORS; the library would allow every origin.
    const isCrossOriginAllowed = ctx.res.hasHeader('access-control-allow-origin');
    // The internal exchange is a token request; `ctx.originalUrl` keeps the path of the client.
    if (ctx.method === 'POST' && ctx.path === ROUTES.authorization) ctx.path = ROUTES.token;
    // The library adds the script of its form to this, for `response_mode=form_post`.
    if (ctx.path.startsWith(ROUTES.authorization)) ctx.set('content-security-policy', FORM_POLICY);
    if (!(await resumeRequest(provider, ctx, context))) return;
    await next();
    await storeAnswer(ctx, context);
    if (!isCrossOriginAllowed) for (const name of CORS_HEADERS) ctx.remove(name);
    await adjustAnswer(ctx, context);
    if (ctx.status === 401) {
      const form = (ctx.oidc?.body ?? {}) as Form;
      const client = presentedClient(ctx.req.headers.authorization, form);
      await context.limits.countRefusal(ctx.ip, client);
    }
  });
  provider.registerGrantType(
    'client_credentials',
    clientCredentialsGrant(library.errors, context),
    ['scope', 'resource'],
  );
  provider.registerGrantType(TOKEN_EXCHANGE, exchangeGrant(library.errors, context), [
    'subject_token',
    'subject_token_type',
    'requested_token_type',
    'actor_token',
    'scope',
    'audience',
    'resource',
    'node_id',
  ]);
  const noteJwtRefusal = (ctx: KoaContextWithOIDC, error: { error: string }): void => {
    stateOf(ctx).isJwtRefused = error.error === 'unsupported_token_type';
  };
  provider.on('introspection.error', noteJwtRefusal);
  provider.on('revocation.error', noteJwtRefusal);
  provider.on('server_error', (ctx, error) => answerFailure(ctx, error, context));
}
