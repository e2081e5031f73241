/**
 * Token exchange (RFC 8693): a user's business token is exchanged for a device token of the same
 * sign-in, with no more rights.
 */
import type { errors as Errors, KoaContextWithOIDC } from 'oidc-provider';
import { transaction } from '../../db/index.ts';
import type { Authenticator, Principal } from '../../http/index.ts';
import { logSecurityEvent } from '../../identity/index.ts';
import { Failure } from '../../lib/failures.ts';
import type { OidcContext } from '../context.ts';
import { createConfirmationReader } from '../guard/dpop-proof.ts';
import { lifetimeOf } from '../provider/lifetimes.ts';
import { DEVICE_SCOPES, splitScopes } from '../tokens/scopes.ts';
import { readSignInTime } from '../tokens/sign-in-time.ts';
import type { TokenClaims } from '../tokens/sign-token.ts';
import { newTokenId } from '../tokens/token-id.ts';

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const JWT = 'urn:ietf:params:oauth:token-type:jwt';
const NODE_ID = /^[A-Za-z0-9._:-]{1,128}$/;
const USER_ONLY_SCOPES: ReadonlySet<string> = new Set(['identity:manage', 'offline_access']);

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);

type Params = Readonly<Record<string, string | undefined>>;

function checkParams(errors: typeof Errors, params: Params, baseUrl: string): void {
  if (params.subject_token === undefined)
    throw new errors.InvalidRequest('missing required parameter(s) subject_token');
  if (params.subject_token_type !== ACCESS_TOKEN && params.subject_token_type !== JWT)
    throw new errors.InvalidRequest('subject_token_type is not supported');
  const wanted = params.requested_token_type;
  if (wanted !== undefined && wanted !== ACCESS_TOKEN && wanted !== JWT)
    throw new errors.InvalidRequest('requested_token_type is not supported');
  if (params.actor_token !== undefined)
    throw new errors.InvalidRequest('actor_token is not supported');
  for (const target of [params.audience, params.resource])
    if (target !== undefined && target !== baseUrl) throw new errors.InvalidTarget();
  if (params.node_id !== undefined && !NODE_ID.test(params.node_id))
    throw new errors.InvalidRequest('node_id is malformed');
}

async function readSubject(
  errors: typeof Errors,
  authenticator: Authenticator,
  token: string,
): Promise<Principal> {
  try {
    const principal = await authenticator.authenticate({
      scheme: 'Bearer',
      token,
      method: 'POST',
      url: '/oauth2/token',
    });
    const { tokenUse, nodeId, userId } = principal;
    if (tokenUse === 'business' && nodeId === undefined && userId !== undefined) return principal;
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'unavailable') throw error;
  }
  throw new errors.InvalidGrant('subject_token is not a live access token of a signed-in user');
}

/** Restricts the scope to what the token has, the client may have and any device may have. */
function restrictScope(
  errors: typeof Errors,
  requested: string[],
  subject: Principal,
  clientScope: string | undefined,
): string {
  const registered = new Set(splitScopes(clientScope));
  const isPossible = (scope: string): boolean =>
    subject.scopes.has(scope) &&
    registered.has(scope) &&
    !USER_ONLY_SCOPES.has(scope) &&
    !scope.startsWith('operator:');
  const foreign = requested.find((scope) => !isPossible(scope));
  if (foreign !== undefined)
    throw new errors.InvalidScope('requested scope is not allowed', foreign);
  return (requested.length > 0 ? requested : DEVICE_SCOPES.filter(isPossible)).join(' ');
}

async function logExchange(
  { database, clock }: OidcContext,
  ctx: KoaContextWithOIDC,
  { sub, client_id, scope, node_id }: TokenClaims,
): Promise<void> {
  await transaction(database, (tx) =>
    logSecurityEvent(tx, clock, {
      userId: Number(sub),
      type: 'token_exchanged',
      origin: { ip: ctx.ip, userAgent: ctx.get('user-agent') },
      details: { client_id, scope, ...(node_id !== undefined && { node_id }) },
    }),
  );
}

/** Creates the handler of the grant type. */
export function exchangeGrant(errors: typeof Errors, context: OidcContext) {
  const { authenticator, baseUrl, clock, config, database, sign } = context;
  const readConfirmation = createConfirmationReader(errors, context);
  return async (ctx: KoaContextWithOIDC): Promise<void> => {
    const { client } = ctx.oidc;
    const params = (ctx.oidc.params ?? {}) as Params;
    if (!client) throw new errors.InvalidClient('no client');
    checkParams(errors, params, baseUrl);
    const subject = await readSubject(errors, authenticator, params.subject_token ?? '');
    const scope = restrictScope(errors, splitScopes(params.scope), subject, client.scope);
    const cnf = await readConfirmation(ctx);
    const now_s = seconds(clock.now());
    const longest_s = Math.min(config.LOGIN_TOKEN_TTL, lifetimeOf(client, 'access_token_lifetime'));
    const exp = Math.min(seconds(subject.expiresAt), now_s + longest_s);
    const claims: TokenClaims = {
      token_use: 'device',
      sub: String(subject.userId),
      client_id: client.clientId,
      scope,
      exp,
      sid: subject.sid,
      // The user authorised this at the sign-in: an exchange must not count as a newer one.
      grant_id: newTokenId(await readSignInTime(database, subject)),
      auth_time: subject.authTime && seconds(subject.authTime),
      amr: subject.amr,
      email: splitScopes(scope).includes('email') ? subject.email : undefined,
      node_id: params.node_id,
      cnf,
    };
    const { token } = await sign(claims);
    await logExchange(context, ctx, claims);
    ctx.body = {
      access_token: token,
      issued_token_type: ACCESS_TOKEN,
      token_type: cnf ? 'DPoP' : 'Bearer',
      expires_in: exp - now_s,
      scope,
    };
  };
}
