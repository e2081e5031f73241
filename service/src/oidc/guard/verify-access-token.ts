/** Verifies an access token and reads its claims. */
import { decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';
import type { Principal, TokenUse } from '../../http/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure } from '../../lib/failures.ts';
import type { KeySet } from '../keys/index.ts';
import type { ApplicationIdentity } from '../tokens/application-identity.ts';
import { splitScopes } from '../tokens/scopes.ts';
import { issuedAtOf } from '../tokens/token-id.ts';

const OWN_USES: ReadonlySet<unknown> = new Set<TokenUse>(['business', 'device', 'operator']);
const API_USES: ReadonlySet<unknown> = new Set<TokenUse>(['api', 'api_client']);

/** RFC 7515 7.1: base64url without padding. */
const COMPACT_JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

const text = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

const texts = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : undefined;

/** The account of a token: named by the claims, or by the reference that an application holds. */
function readAccount(
  { sub, sid, user_ref }: JWTPayload,
  tokenUse: TokenUse,
  applications: ApplicationIdentity,
): Pick<Partial<Principal>, 'userId' | 'sid' | 'subject'> {
  if (tokenUse === 'operator' || tokenUse === 'api_client') return {};
  const account =
    user_ref === undefined
      ? { userId: Number(sub), sid: text(sid) }
      : applications.decryptAccount(String(user_ref));
  if (!account || !Number.isSafeInteger(account.userId) || account.userId < 1)
    throw failure('invalid_token');
  return { ...account, ...(user_ref !== undefined && { subject: String(sub) }) };
}

function toPrincipal(payload: JWTPayload, { issuer, applications }: TokenCheck): Principal {
  const { aud, jti, iat, exp, client_id, token_use, cnf, amr, auth_time } = payload;
  const isOwn = aud === issuer;
  if (
    !(isOwn ? OWN_USES : API_USES).has(token_use) ||
    typeof jti !== 'string' ||
    typeof iat !== 'number' ||
    typeof exp !== 'number' ||
    typeof client_id !== 'string'
  )
    throw failure('invalid_token');
  const tokenUse = token_use as TokenUse;
  const optional = {
    ...readAccount(payload, tokenUse, applications),
    audience: isOwn ? undefined : text(aud),
    grantId: text(payload.grant_id),
    nodeId: text(payload.node_id),
    jkt: text((cnf as { jkt?: unknown } | undefined)?.jkt),
    email: text(payload.email),
    groups: texts(payload.groups),
    roles: texts(payload.roles),
    authTime: typeof auth_time === 'number' ? new Date(auth_time * 1000) : undefined,
  };
  // An unknown confirmation method must not turn the token into a bearer token.
  if (cnf !== undefined && optional.jkt === undefined) throw failure('invalid_token');
  return {
    tokenUse,
    clientId: client_id,
    scopes: new Set(splitScopes(text(payload.scope))),
    jti,
    amr: texts(amr) ?? [],
    issuedAt: issuedAtOf(jti, iat),
    expiresAt: new Date(exp * 1000),
    ...(Object.fromEntries(
      Object.entries(optional).filter(([, value]) => value !== undefined),
    ) as Partial<Principal>),
  };
}

export interface TokenCheck {
  /** Issuer, and the audience of tokens for this service. */
  readonly issuer: string;
  /** Resource servers whose tokens are accepted too; default: none. */
  readonly audiences?: readonly string[];
  readonly clock: Clock;
  readonly applications: ApplicationIdentity;
}

/**
 * Verifies an access token of this service. The `kid` of its header selects one of the service's
 * keys; `jku`, `jwk` and `x5u` are ignored, and RS256 is the only algorithm. A token is for one
 * audience.
 * @throws `invalid_token`
 */
export async function verifyAccessToken(
  keys: Pick<KeySet, 'verifying'>,
  token: string,
  check: TokenCheck,
): Promise<Principal> {
  const { issuer, audiences = [], clock } = check;
  try {
    // A decoder that ignores padding would accept several texts as one token.
    if (!COMPACT_JWT.test(token)) throw new Error('not a compact JWS');
    const kid = text(decodeProtectedHeader(token).kid) ?? '';
    const key = keys.verifying.get(kid);
    if (!key) throw new Error('unknown kid');
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['RS256'],
      typ: 'at+jwt',
      issuer,
      audience: [issuer, ...audiences],
      currentDate: clock.now(),
      requiredClaims: ['sub', 'exp', 'iat', 'jti', 'client_id', 'token_use'],
    });
    return toPrincipal(payload, check);
  } catch (cause) {
    throw failure('invalid_token', { cause });
  }
}
