/**
 * A person's answer to an authorization request. It is kept aside under a one-time secret: only the browser that began
 * the request can bring both that secret and its own cookie, so a link sent to somebody else gives the sender nothing.
 */
import { type Db, transaction } from '../../db/index.ts';
import type { Principal } from '../../http/index.ts';
import { logSecurityEvent, type Origin } from '../../identity/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure, invalidField } from '../../lib/failures.ts';
import { hashSecret, newSecret } from '../../lib/ids.ts';
import { type Client, type ClientRegistry, isNative } from '../clients/index.ts';
import { SCOPES, type Scope, splitScopes } from '../tokens/scopes.ts';

const DECISION_TTL_MS = 300_000;
/** A sign-in this much older than the request still counts as made for it. */
const SKEW_S = 5;

/** The provider's record of a request that waits for a person. */
export interface WaitingRequest {
  readonly uid: string;
  readonly iat: number;
  readonly params: Readonly<Record<string, unknown>>;
  readonly prompt: { readonly name: string; readonly reasons: readonly string[] };
}

export interface ConsentDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly clients: ClientRegistry;
  readonly baseUrl: string;
  findRequest(interactionId: string): Promise<WaitingRequest | undefined>;
}

async function loadRequest({ findRequest, clients }: ConsentDeps, interactionId: string): Promise<{ request: WaitingRequest; client: Client }> {
  const request = await findRequest(interactionId);
  const client = request && (await clients.find(String(request.params.client_id)));
  if (!request || !client) throw failure('interaction_expired');
  return { request, client };
}

function requestedScopes(request: WaitingRequest): Scope[] {
  return splitScopes(request.params.scope as string | undefined).filter((scope): scope is Scope => scope in SCOPES);
}

/** True where the sign-in has to be newer than it is: `prompt=login`, `max_age`. */
function mustSignInAgain(request: WaitingRequest, authTime: Date | undefined, now: Date): boolean {
  const at_s = (authTime?.getTime() ?? 0) / 1000;
  if (splitScopes(request.params.prompt as string | undefined).includes('login') && at_s < request.iat - SKEW_S) return true;
  const maxAge_s = request.params.max_age === undefined ? Number.POSITIVE_INFINITY : Number(request.params.max_age);
  return now.getTime() / 1000 - at_s > maxAge_s + SKEW_S;
}

export interface ShownRequest {
  readonly client: Client;
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
  /** The person allowed all of it before, or the client is the operator's own: the page may go on by itself. */
  readonly isAllowedAlready: boolean;
  readonly mustSignInAgain: boolean;
  readonly loginHint?: string;
}

/** What a request asks of a person. @throws `interaction_expired` */
export async function showRequest(deps: ConsentDeps, interactionId: string, principal: Principal): Promise<ShownRequest> {
  const { request, client } = await loadRequest(deps, interactionId);
  const scopes = requestedScopes(request);
  const { rows } = await deps.db.query<{ scopes: string[] }>('select scopes from consent where user_id = $1 and client_id = $2 and is_remembered', [
    principal.userId,
    client.clientId,
  ]);
  const remembered = rows[0]?.scopes ?? [];
  const hint = request.params.login_hint;
  return {
    client,
    redirectUri: String(request.params.redirect_uri),
    scopes,
    isAllowedAlready: client.isFirstParty || (!isNative(client) && scopes.every((scope) => remembered.includes(scope))),
    mustSignInAgain: mustSignInAgain(request, principal.authTime, deps.clock.now()),
    ...(typeof hint === 'string' && { loginHint: hint }),
  };
}

export interface Decision {
  readonly interactionId: string;
  readonly isAllowed: boolean;
  /** Scopes that the person allows; default: all that are asked. */
  readonly scopes?: readonly string[];
}

function allowedScopes(request: WaitingRequest, { isAllowed, scopes }: Decision): string[] {
  if (!isAllowed) return [];
  const requested = requestedScopes(request);
  if (!scopes) return requested;
  const foreign = scopes.find((scope) => !requested.some((known) => known === scope));
  if (foreign !== undefined) throw invalidField('scopes', 'not_requested', `holds a scope that was not asked for: ${foreign}`);
  // Without `openid` an OpenID request is none; it says no more than that the person exists.
  return requested.filter((scope) => scopes.includes(scope) || scope === 'openid');
}

/** Takes the decision and gives the address to go on at. @throws `interaction_expired`, `reauthentication_required`, `invalid_parameter` */
export async function decideConsent(deps: ConsentDeps, decision: Decision, principal: Principal, origin: Origin): Promise<{ redirectTo: string }> {
  const { db, clock, baseUrl } = deps;
  const { request, client } = await loadRequest(deps, decision.interactionId);
  const now = clock.now();
  if (decision.isAllowed && mustSignInAgain(request, principal.authTime, now))
    throw failure('reauthentication_required', { detail: 'The application asks for a newer sign-in: sign in again.' });
  const scopes = allowedScopes(request, decision);
  const secret = newSecret();
  await transaction(db, async (tx) => {
    await tx.query(
      `insert into consent_decision (interaction_id, secret_hash, user_id, sid, amr, auth_time, is_allowed, scopes, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       on conflict (interaction_id) do update set secret_hash = excluded.secret_hash, user_id = excluded.user_id, sid = excluded.sid, amr = excluded.amr,
         auth_time = excluded.auth_time, is_allowed = excluded.is_allowed, scopes = excluded.scopes, expires_at = excluded.expires_at`,
      [
        request.uid,
        hashSecret(secret),
        principal.userId,
        principal.sid ?? null,
        [...principal.amr],
        principal.authTime ?? principal.issuedAt,
        decision.isAllowed,
        scopes,
        new Date(now.getTime() + DECISION_TTL_MS),
      ],
    );
    const type = decision.isAllowed ? 'application_allowed' : 'application_denied';
    await logSecurityEvent(tx, clock, {
      userId: principal.userId ?? 0,
      type,
      origin,
      details: { client_id: client.clientId, client_name: client.name, scopes },
    });
    if (!decision.isAllowed) return;
    await tx.query(
      `insert into consent (user_id, client_id, scopes, is_remembered, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)
       on conflict (user_id, client_id) do update set updated_at = excluded.updated_at, is_remembered = excluded.is_remembered,
         scopes = (select array_agg(distinct scope order by scope) from unnest(consent.scopes || excluded.scopes) as scope)`,
      [principal.userId, client.clientId, scopes, !isNative(client), now],
    );
  });
  return { redirectTo: `${baseUrl}/oauth2/authorize/${request.uid}?ticket=${secret}` };
}

/** A decision, as the browser that began the request redeems it. */
export interface RedeemedDecision {
  readonly userId: number;
  readonly sid?: string;
  readonly amr: readonly string[];
  readonly authTime: Date;
  readonly isAllowed: boolean;
  readonly scopes: readonly string[];
}

/** Takes a decision away by its secret: once, and only for its own request. */
export async function redeemDecision(db: Db, clock: Clock, interactionId: string, secret: string): Promise<RedeemedDecision | undefined> {
  const { rows } = await db.query<{ user_id: number; sid: string | null; amr: string[]; auth_time: Date; is_allowed: boolean; scopes: string[] }>(
    `delete from consent_decision where interaction_id = $1 and secret_hash = $2 and expires_at > $3
     returning user_id, sid, amr, auth_time, is_allowed, scopes`,
    [interactionId, hashSecret(secret), clock.now()],
  );
  const row = rows[0];
  if (!row) return undefined;
  return {
    userId: row.user_id,
    ...(row.sid !== null && { sid: row.sid }),
    amr: row.amr,
    authTime: row.auth_time,
    isAllowed: row.is_allowed,
    scopes: row.scopes,
  };
}
