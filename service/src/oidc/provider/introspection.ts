/** What introspection (RFC 7662) answers about an access token. */
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Principal } from '../../http/index.ts';
import type { Client } from '../clients/index.ts';
import type { OidcContext } from '../context.ts';

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);

/** The account as the asking application knows it; a resource server knows it by the user id. */
function describeAccount(
  { applications }: OidcContext,
  { userId, sid, subject, clientId }: Principal,
  asking: Client,
): object {
  if (userId === undefined) return { sub: clientId };
  if (subject === undefined || asking.isFirstParty) return { sub: String(userId), sid };
  return { sub: subject, sid: sid && applications.sessionOf(asking, sid) };
}

export function describeToken(principal: Principal, context: OidcContext, asking: Client): object {
  const { email, groups, roles, jkt, authTime, jti, nodeId } = principal;
  return {
    active: true,
    iss: context.baseUrl,
    aud: principal.audience ?? context.baseUrl,
    ...describeAccount(context, principal, asking),
    client_id: principal.clientId,
    token_use: principal.tokenUse,
    token_type: jkt === undefined ? 'Bearer' : 'DPoP',
    scope: [...principal.scopes].join(' '),
    jti,
    iat: seconds(principal.issuedAt),
    exp: seconds(principal.expiresAt),
    ...(email !== undefined && { email, username: email }),
    ...(groups !== undefined && { groups }),
    ...(roles !== undefined && { roles }),
    ...(authTime !== undefined && { auth_time: seconds(authTime) }),
    ...(principal.amr.length > 0 && { amr: principal.amr }),
    ...(nodeId !== undefined && { node_id: nodeId }),
    ...(jkt !== undefined && { cnf: { jkt } }),
  };
}

/** The library describes a refresh token by the account: an application knows it otherwise. */
export async function describeRefreshToken(
  ctx: KoaContextWithOIDC,
  { clients, applications }: OidcContext,
): Promise<void> {
  const body = ctx.body as { sub?: string };
  if (ctx.oidc.entities.RefreshToken === undefined || body.sub === undefined) return;
  const asking = ctx.oidc.client && (await clients.find(ctx.oidc.client.clientId));
  if (asking) body.sub = applications.subjectOf(asking, Number(body.sub));
}
