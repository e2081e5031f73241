/**
 * Introspection (RFC 7662) and revocation (RFC 7009) of our JWTs. The provider authenticates the client and knows the
 * opaque tokens; it is handed a stand-in where the token is a JWT, and its answer for an unknown one is completed here.
 */
import type { IncomingMessage } from 'node:http';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { type Database, transaction } from '../../db/index.ts';
import type { Principal } from '../../http/index.ts';
import { revoke, type TokenState } from '../../identity/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ClientRegistry } from '../clients/index.ts';
import { verifyToken } from '../guard/verify-token.ts';
import type { KeyRing } from '../keys/index.ts';

export interface TokenAnswerDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly keys: KeyRing;
  readonly tokenState: TokenState;
  readonly baseUrl: string;
  readonly clients: ClientRegistry;
}

interface Asking {
  readonly clientId: string;
  readonly clientAuthMethod?: string | undefined;
}

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const STAND_IN = 'a-jwt';
const setAside = new WeakMap<IncomingMessage, string>();

/** Takes a JWT out of an introspection or revocation request and leaves a stand-in. */
export function extractJwt(req: IncomingMessage, form: Record<string, string | string[]>): void {
  if (typeof form.token !== 'string' || !JWT.test(form.token)) return;
  setAside.set(req, form.token);
  form.token = STAND_IN;
}

/** A token that is valid and not revoked. */
async function readLiveToken(
  ctx: KoaContextWithOIDC,
  deps: TokenAnswerDeps,
): Promise<Principal | undefined> {
  const token = setAside.get(ctx.req);
  if (token === undefined) return undefined;
  const verified = await verifyToken(
    await deps.keys.current(),
    token,
    deps.baseUrl,
    deps.clock,
  ).catch(() => undefined);
  if (!verified || (await deps.tokenState.check(verified.principal)) !== undefined)
    return undefined;
  return verified.principal;
}

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);

/** A client learns of its own tokens; the operator's own servers, which prove who they are, of all: they are the resource servers. */
export async function mayIntrospect(
  clients: ClientRegistry,
  { clientId, clientAuthMethod }: Asking,
  tokensClientId: string,
): Promise<boolean> {
  if (clientId === tokensClientId) return true;
  return clientAuthMethod !== 'none' && (await clients.find(clientId))?.isFirstParty === true;
}

/** Tells a client about one of our tokens. */
export async function answerIntrospection(
  ctx: KoaContextWithOIDC,
  deps: TokenAnswerDeps,
): Promise<void> {
  const principal = await readLiveToken(ctx, deps);
  const { client } = ctx.oidc;
  if (!principal || !client || !(await mayIntrospect(deps.clients, client, principal.clientId)))
    return;
  const { sid, email, jkt, authTime } = principal;
  const nodeId = principal.nodeId ?? deps.tokenState.nodeOf(principal.jti, principal.grantId);
  ctx.body = {
    active: true,
    iss: deps.baseUrl,
    aud: deps.baseUrl,
    sub: principal.userId === undefined ? principal.clientId : String(principal.userId),
    client_id: principal.clientId,
    token_use: principal.tokenUse,
    token_type: jkt === undefined ? 'Bearer' : 'DPoP',
    scope: [...principal.scopes].join(' '),
    jti: principal.jti,
    iat: seconds(principal.issuedAt),
    exp: seconds(principal.expiresAt),
    ...(sid !== undefined && { sid }),
    ...(email !== undefined && { email, username: email }),
    ...(authTime !== undefined && { auth_time: seconds(authTime) }),
    ...(principal.amr.length > 0 && { amr: principal.amr }),
    ...(nodeId !== undefined && { node_id: nodeId }),
    ...(jkt !== undefined && { cnf: { jkt } }),
  };
}

/** Revokes one of our tokens for the client that it was issued to; anything else is answered the same and changes nothing. */
export async function answerRevocation(
  ctx: KoaContextWithOIDC,
  deps: TokenAnswerDeps,
): Promise<void> {
  const principal = await readLiveToken(ctx, deps);
  if (!principal || ctx.oidc.client?.clientId !== principal.clientId) return;
  await transaction(deps.database, (tx) =>
    revoke(tx, deps.clock, {
      kind: 'jti',
      value: principal.jti,
      reason: 'revoked_by_client',
      until: principal.expiresAt,
    }),
  );
}
