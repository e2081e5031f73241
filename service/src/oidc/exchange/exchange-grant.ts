/** Token exchange (RFC 8693): a person's business token becomes a device token of the same sign-in, never more than it was. */
import type { errors as Errors, KoaContextWithOIDC } from 'oidc-provider';
import type { Db } from '../../db/index.ts';
import type { Authenticator, Principal } from '../../http/index.ts';
import { findSession } from '../../identity/index.ts';
import { Failure } from '../../lib/failures.ts';
import { createProofReader, type ProofDeps, readConfirmation } from '../guard/dpop-proof.ts';
import { originalPathOf } from '../provider/delegate-to-provider.ts';
import { DEVICE_SCOPES, splitScopes } from '../tokens/scopes.ts';
import type { SignToken } from '../tokens/sign-token.ts';
import { newTokenId } from '../tokens/token-id.ts';

export interface Exchange {
  readonly userId: number;
  readonly clientId: string;
  readonly scope: string;
  readonly nodeId?: string;
  readonly ip: string;
  readonly userAgent: string;
}

export interface ExchangeDeps extends ProofDeps {
  readonly db: Db;
  readonly authenticator: Authenticator;
  readonly sign: SignToken;
  readonly tokenTtl_s: number;
  /** Told of each exchange, for the person's security log. */
  onExchange(exchange: Exchange): Promise<void>;
}

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const JWT = 'urn:ietf:params:oauth:token-type:jwt';
const NODE_ID = /^[A-Za-z0-9._:-]{1,128}$/;
const ONLY_FOR_PEOPLE: ReadonlySet<string> = new Set(['identity:manage', 'offline_access']);

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
    if (principal.tokenUse === 'business' && principal.nodeId === undefined) return principal;
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'unavailable') throw error;
  }
  throw new errors.InvalidGrant('subject_token is not a live access token of a signed-in person');
}

/** Scope only narrows: what the token has, the client may have, and a device may ever have. */
function narrowScope(
  errors: typeof Errors,
  requested: string[],
  subject: Principal,
  clientScope: string | undefined,
): string {
  const registered = new Set(splitScopes(clientScope));
  const isPossible = (scope: string): boolean =>
    subject.scopes.has(scope) &&
    registered.has(scope) &&
    !ONLY_FOR_PEOPLE.has(scope) &&
    !scope.startsWith('operator:');
  const foreign = requested.find((scope) => !isPossible(scope));
  if (foreign !== undefined)
    throw new errors.InvalidScope('requested scope is not allowed', foreign);
  return (requested.length > 0 ? requested : DEVICE_SCOPES.filter(isPossible)).join(' ');
}

/** When the person signed in. The claim has whole seconds only, so the stored instant comes first. */
async function signedInAt(
  { db }: ExchangeDeps,
  { sid, authTime, issuedAt }: Principal,
): Promise<Date> {
  const session = sid === undefined ? undefined : await findSession(db, sid);
  return session?.createdAt ?? authTime ?? issuedAt;
}

/** Makes the grant's handler. */
export function exchangeGrant(errors: typeof Errors, deps: ExchangeDeps) {
  const readProof = createProofReader(deps);
  const toError = (cause: unknown): Error =>
    new errors.InvalidDpopProof('the DPoP proof is not valid', { cause } as never);
  return async (ctx: KoaContextWithOIDC): Promise<void> => {
    const { client } = ctx.oidc;
    const params = (ctx.oidc.params ?? {}) as Params;
    if (!client) throw new errors.InvalidClient('no client');
    checkParams(errors, params, deps.baseUrl);
    const subject = await readSubject(errors, deps.authenticator, params.subject_token ?? '');
    const { userId } = subject;
    if (userId === undefined) throw new errors.InvalidGrant('subject_token is not of a person');
    const scope = narrowScope(errors, splitScopes(params.scope), subject, client.scope);
    const cnf = await readConfirmation(
      readProof,
      { dpop: ctx.get('dpop'), method: ctx.method, url: originalPathOf(ctx.req) },
      toError,
    );
    const now = deps.clock.now();
    const now_s = Math.floor(now.getTime() / 1000);
    const exp = Math.min(Math.floor(subject.expiresAt.getTime() / 1000), now_s + deps.tokenTtl_s);
    const { token } = await deps.sign({
      token_use: 'device',
      sub: String(userId),
      client_id: client.clientId,
      scope,
      exp,
      sid: subject.sid,
      // The person authorised this when they signed in: an exchange makes an older sign-in no fresher.
      grant_id: newTokenId(await signedInAt(deps, subject)),
      auth_time: subject.authTime && Math.floor(subject.authTime.getTime() / 1000),
      amr: subject.amr,
      email: subject.email,
      node_id: params.node_id,
      cnf,
    });
    const nodeId = params.node_id;
    await deps.onExchange({
      userId,
      clientId: client.clientId,
      scope,
      ip: ctx.ip,
      userAgent: ctx.get('user-agent'),
      ...(nodeId !== undefined && { nodeId }),
    });
    ctx.body = {
      access_token: token,
      issued_token_type: ACCESS_TOKEN,
      token_type: cnf ? 'DPoP' : 'Bearer',
      expires_in: exp - now_s,
      scope,
    };
  };
}
