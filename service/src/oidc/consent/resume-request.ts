/** Continues an authorization request with the user's decision, in the browser that started it. */
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { defineStatement, execute } from '../../db/index.ts';
import type { SignInRow } from '../../identity/index.ts';
import { type Client, canReceiveCodeAt, isNativeRedirect } from '../clients/index.ts';
import type { OidcContext } from '../context.ts';
import { renderError } from '../provider/error-page.ts';
import { createGrant } from '../provider/grants.ts';
import type { EncryptedDecision } from '../provider/interaction-encryption.ts';
import type { StoredObject } from '../provider/object-store.ts';
import { originOf } from '../provider/request-origin.ts';
import { stateOf } from '../provider/request-state.ts';
import { listAudiences } from '../resource-servers/requested-scopes.ts';
import { splitScopes } from '../tokens/scopes.ts';
import { readCategories } from './categories.ts';

const RESUME_PATH = /^\/oauth2\/authorize\/([^/]+)$/;

// The decision counts once, and not if the user has disconnected the client since. Its grant, the
// consent and the log entry are stored with it or not at all. A decision that is lost in a power
// failure costs the user one more click.
const RECORD_DECISION = defineStatement(
  'record-consent-decision',
  `with taken as (
     insert into oidc_object (model, id, payload, expires_at)
     select 'AnsweredRequest', :uid::text, '{}'::json, :expires_at::timestamptz
     where can_record_decision(:user_id, :client_id, :decided_at)
     on conflict do nothing returning true),
   granted as (
     insert into oidc_object (model, id, payload, uid, expires_at)
     select 'Grant', :grant_id::text, :grant::json, :connection::text,
       :grant_expires_at::timestamptz
     from taken where :grant_id::text is not null)
   select case when :is_recorded then record_decision(:user_id, :client_id, :allowed,
       :is_remembered, :ip, :user_agent, :details, :now) end,
     load_sign_in(:user_id, :sid, :grant_id, :client_id, :now) as sign_in,
     set_config('synchronous_commit', 'off', true)
   from taken`,
);

/** True while the sign-in, the client and their connection are as they were at the decision. */
async function isStillValid(
  { clock, tokenState }: OidcContext,
  { request, decidedAt_ms, expiresAt_ms, user }: EncryptedDecision,
): Promise<boolean> {
  if (expiresAt_ms <= clock.now().getTime()) return false;
  const { jti, sid, grantId, userId } = user;
  const revocation = await tokenState.check({
    jti,
    sid,
    grantId,
    userId,
    clientId: String(request.params.client_id),
    issuedAt: new Date(decidedAt_ms),
  });
  return revocation === undefined;
}

/** The decision behind a ticket, and its client. Undefined: the request must stop here. */
async function readDecision(
  context: OidcContext,
  uid: string,
  ticket: unknown,
): Promise<{ decision: EncryptedDecision; client: Client } | undefined> {
  const decision =
    typeof ticket === 'string' ? context.encryption.decision.decrypt(ticket) : undefined;
  if (decision?.request.uid !== uid || !(await isStillValid(context, decision))) return undefined;
  const { client_id, redirect_uri } = decision.request.params;
  const client = await context.clients.find(String(client_id));
  return client && canReceiveCodeAt(client, String(redirect_uri))
    ? { decision, client }
    : undefined;
}

/** The grant of a decision, with no more scopes than the client may have now. */
function toGrant(
  context: OidcContext,
  { request: { params }, user, allowed }: EncryptedDecision,
  client: Client,
): StoredObject | undefined {
  if (!allowed) return undefined;
  return createGrant(context, {
    userId: user.userId,
    clientId: client.clientId,
    requested: splitScopes(params.scope as string | undefined),
    allowed: allowed.scopes.filter((scope) => client.scopes.includes(scope)),
    audiences: listAudiences(params),
    categories: {
      requested: readCategories(params.device_categories) ?? [],
      granted: allowed.categories,
    },
  });
}

/** Records a decision with its grant. Undefined: it was recorded before, or is invalid by now. */
async function recordDecision(
  { database, clock }: OidcContext,
  { request, decidedAt_ms, expiresAt_ms, user, allowed, isForOther }: EncryptedDecision,
  {
    client,
    grant,
    ctx,
  }: { client: Client; grant: StoredObject | undefined; ctx: KoaContextWithOIDC },
): Promise<{ sign_in: SignInRow | null } | undefined> {
  const scopes = allowed?.scopes.filter((scope) => client.scopes.includes(scope));
  const origin = originOf(ctx);
  const { rows } = await execute<{ sign_in: SignInRow | null }>(database, RECORD_DECISION, {
    uid: request.uid,
    expires_at: new Date(Math.max(expiresAt_ms, request.exp * 1000)),
    user_id: user.userId,
    sid: user.sid ?? null,
    client_id: client.clientId,
    decided_at: new Date(decidedAt_ms),
    grant_id: grant?.id ?? null,
    grant: grant ? JSON.stringify(grant.payload) : null,
    connection: grant?.connection ?? null,
    grant_expires_at: grant?.expiresAt ?? null,
    is_recorded: isForOther !== true,
    allowed: scopes ?? null,
    is_remembered: !isNativeRedirect(String(request.params.redirect_uri)),
    ip: origin.ip,
    user_agent: origin.userAgent,
    details: JSON.stringify({
      client_id: client.clientId,
      client_name: client.name,
      scopes: scopes ?? [],
      categories: allowed?.categories ?? [],
    }),
    now: clock.now(),
  });
  return rows[0];
}

/** The result of the interaction, as the provider continues with it. */
function toResult(
  { user, isForOther }: EncryptedDecision,
  grant: StoredObject | undefined,
): Record<string, unknown> {
  if (isForOther)
    return { error: 'login_required', error_description: 'Another user is signed in.' };
  if (!grant) return { error: 'access_denied', error_description: 'The user denied the request.' };
  return {
    login: {
      accountId: String(user.userId),
      ts: user.authTime,
      amr: user.amr,
      sid: user.sid,
      remember: true,
    },
    consent: { grantId: grant.id },
    select_account: {},
    create: {},
  };
}

async function takeDecision(
  ctx: KoaContextWithOIDC,
  context: OidcContext,
  uid: string,
): Promise<boolean> {
  const read = await readDecision(context, uid, ctx.query.ticket);
  if (!read) return false;
  const { decision, client } = read;
  const grant = toGrant(context, decision, client);
  const recorded = await recordDecision(context, decision, { client, grant, ctx });
  if (!recorded) return false;
  const interaction = { ...decision.request, kind: 'Interaction', jti: uid };
  const result = toResult(decision, grant);
  Object.assign(stateOf(ctx), {
    resumed: { accountId: String(decision.user.userId), interaction: { ...interaction, result } },
    signIn: recorded.sign_in,
    grant: grant?.payload,
  });
  return true;
}

/**
 * Before the provider resumes a request: takes the decision of the ticket, if the browser also has
 * the cookie that the request started with. False: refused, and the answer is written.
 */
export async function resumeRequest(
  provider: Provider,
  ctx: KoaContextWithOIDC,
  context: OidcContext,
): Promise<boolean> {
  const uid = ctx.method === 'GET' ? RESUME_PATH.exec(ctx.path)?.[1] : undefined;
  if (uid === undefined) return true;
  const cookie = ctx.cookies.get(provider.cookieName('resume'), { signed: true });
  if (cookie === uid && (await takeDecision(ctx, context, uid))) return true;
  ctx.status = 400;
  renderError(context.look(), ctx, {
    error: 'invalid_request',
    error_description: 'This link is not for this browser, or it was used or has expired.',
  });
  return false;
}
