/** What the user chose on the page of a logout that an application asked for. */
import type { KoaContextWithOIDC } from 'oidc-provider';
import { transaction } from '../../db/index.ts';
import { endSession, logSecurityEvent } from '../../identity/index.ts';
import type { OidcContext } from '../context.ts';
import { deleteObject } from '../provider/object-store.ts';
import { originOf } from '../provider/request-origin.ts';
import { stateOf } from '../provider/request-state.ts';
import { leaveSession } from './join-session.ts';

/** True where the user signs out of the account, not only of the application. */
export function isWholeLogout({ oidc }: KoaContextWithOIDC): boolean {
  return oidc.route === 'end_session_confirm' && oidc.params?.logout !== undefined;
}

/**
 * Ends the sign-in with the browser's session, whose stored id is given. Its tokens are revoked and
 * its applications told, all in one transaction.
 */
export async function endBrowserSession(
  { database, clock }: OidcContext,
  ctx: KoaContextWithOIDC,
  storedId: string,
): Promise<void> {
  const sid = stateOf(ctx).sessionSid;
  const { client, session } = ctx.oidc;
  const accountId = session?.accountId;
  await transaction(database, async (tx) => {
    await deleteObject(tx, 'Session', storedId);
    if (sid === undefined || accountId === undefined) return;
    if (!(await endSession(tx, clock, { sid, reason: 'logout' }))) return;
    await logSecurityEvent(tx, clock, {
      userId: Number(accountId),
      type: 'signed_out',
      origin: originOf(ctx),
      details: client ? { client_id: client.clientId } : {},
    });
  });
}

/** Completes the library's answers of the routes of logout. */
export async function adjustLogout(ctx: KoaContextWithOIDC, context: OidcContext): Promise<void> {
  const { route, params, session, client } = ctx.oidc;
  if (route === 'end_session' && ctx.status === 200 && session?.accountId === undefined) {
    // No user is signed in here: there is nothing to ask.
    const back = params?.post_logout_redirect_uri;
    const url = new URL(
      typeof back === 'string' ? back : `${context.baseUrl}/oauth2/logout/success`,
    );
    if (typeof back === 'string' && typeof params?.state === 'string')
      url.searchParams.set('state', params.state);
    ctx.body = null;
    ctx.status = 302;
    ctx.set('location', url.href);
  }
  if (route !== 'end_session_confirm' || ctx.status !== 303 || isWholeLogout(ctx)) return;
  const sid = stateOf(ctx).sessionSid;
  if (client && sid !== undefined)
    await leaveSession(context.database, context.clock, { sid, clientId: client.clientId });
  if (!client) ctx.set('location', `${context.baseUrl}/`);
}
