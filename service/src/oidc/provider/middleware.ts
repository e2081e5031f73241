/** What our contract adds to the provider's answers, and the grants that are ours. */
import { decodeJwt } from 'jose';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { CONSOLE_CLIENT_ID } from '../../http/index.ts';
import { TOKEN_EXCHANGE } from '../clients/index.ts';
import { POLL_EVERY_S } from '../device-flow/enforce-poll-interval.ts';
import { type ExchangeDeps, exchangeGrant } from '../exchange/exchange-grant.ts';
import { DEVICE_SCOPES, splitScopes } from '../tokens/scopes.ts';
import type { TokenClaims } from '../tokens/sign-token.ts';
import type { Library } from './build-provider.ts';
import { clientCredentialsGrant } from './client-credentials.ts';
import { renderError } from './error-page.ts';
import {
  answerIntrospection,
  answerRevocation,
  type TokenAnswerDeps,
} from './jwt-introspection.ts';
import { LINK_ALREADY_USED } from './read-form.ts';
import { beginUnitOfWork, commitUnitOfWork } from './unit-of-work.ts';

export interface MiddlewareDeps extends TokenAnswerDeps, ExchangeDeps {
  onError(error: unknown): void;
}

const CORS_HEADERS = ['access-control-allow-origin', 'access-control-expose-headers'];

interface TokenBody {
  access_token?: string;
  device_token?: string;
  scope?: string;
}

/** Discovery says what is true of this service: one response mode, its claims. */
function correctDiscovery(body: Record<string, unknown>): void {
  Object.assign(body, {
    response_modes_supported: ['query'],
    claims_supported: [
      'sub',
      'iss',
      'aud',
      'exp',
      'iat',
      'auth_time',
      'sid',
      'nonce',
      'email',
      'email_verified',
      'nickname',
    ],
  });
  delete body.request_parameter_supported;
}

/** The provider complains of the mode that another response type would have; the client is told of the type. */
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

/** The console's access token is the person's; its device token is made beside it, and may what device tokens may. */
async function addConsoleDeviceToken(body: TokenBody, { sign }: MiddlewareDeps): Promise<void> {
  const claims = decodeJwt<TokenClaims>(body.access_token ?? '');
  const {
    token_use: _,
    scope,
    iat: _iat,
    jti: _jti,
    iss: _iss,
    aud: _aud,
    may_operate: _may,
    ...kept
  } = claims;
  body.scope = scope;
  const deviceScope = splitScopes(scope).filter((name) => DEVICE_SCOPES.includes(name));
  body.device_token = (
    await sign({ ...kept, token_use: 'device', scope: deviceScope.join(' ') })
  ).token;
}

/** Answers as our pages and the contract expect: 302 for redirects, `device_token` beside `access_token`. */
async function adjustAnswer(ctx: KoaContextWithOIDC, deps: MiddlewareDeps): Promise<void> {
  const { route, client } = ctx.oidc;
  // The contract says 302; each of these answers a GET, so that no body can be sent on.
  if (ctx.status === 303) ctx.status = 302;
  if (route === 'authorization') nameResponseType(ctx);
  if (route === 'discovery' && ctx.status === 200)
    correctDiscovery(ctx.body as Record<string, unknown>);
  if (route === 'device_authorization' && ctx.status === 200)
    Object.assign(ctx.body as object, { interval: POLL_EVERY_S });
  const body = ctx.body as TokenBody | undefined;
  if (
    route !== 'token' ||
    typeof body?.access_token !== 'string' ||
    ctx.oidc.params?.grant_type === 'client_credentials'
  )
    return;
  if (client?.clientId === CONSOLE_CLIENT_ID && ctx.oidc.params?.grant_type !== TOKEN_EXCHANGE)
    await addConsoleDeviceToken(body, deps);
  else body.device_token = body.access_token;
}

/** The answer to a request was taken before: nothing that came of it this time leaves. */
function refuseTaken(ctx: KoaContextWithOIDC): void {
  ctx.remove('location');
  ctx.remove('set-cookie');
  ctx.status = 400;
  renderError(ctx, { error: 'invalid_request', error_description: LINK_ALREADY_USED });
}

export function installMiddleware(
  provider: Provider,
  library: Library,
  deps: MiddlewareDeps,
): void {
  provider.use(async (context, next) => {
    const ctx = context as unknown as KoaContextWithOIDC;
    // Who may read across origins is the server's to say; the provider would allow everybody.
    const isCrossOriginAllowed = ctx.res.hasHeader('access-control-allow-origin');
    beginUnitOfWork(ctx.req, deps.clock.now());
    await next();
    if (!(await commitUnitOfWork(deps.database, ctx.req))) return refuseTaken(ctx);
    if (!isCrossOriginAllowed) for (const name of CORS_HEADERS) ctx.remove(name);
    await adjustAnswer(ctx, deps);
    if (ctx.oidc.route === 'introspection' && ctx.status === 200)
      await answerIntrospection(ctx, deps);
    if (ctx.oidc.route === 'revocation' && ctx.status === 200) {
      await answerRevocation(ctx, deps);
      // Nothing at all: clients take an empty text for a wrong kind of content.
      ctx.body = null;
      ctx.status = 200;
    }
  });
  provider.registerGrantType('client_credentials', clientCredentialsGrant(library.errors, deps), [
    'scope',
  ]);
  provider.registerGrantType(TOKEN_EXCHANGE, exchangeGrant(library.errors, deps), [
    'subject_token',
    'subject_token_type',
    'requested_token_type',
    'actor_token',
    'scope',
    'audience',
    'resource',
    'node_id',
  ]);
  provider.on('server_error', (_ctx, error) => deps.onError(error));
}
