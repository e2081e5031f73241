/**
 * A person's answer to an authorization request. It is handed out as a sealed ticket that serves once: only the browser
 * that began the request can bring both that ticket and its own cookie, so a link sent to somebody else gives the sender
 * nothing.
 */
import type { Principal } from '../../http/index.ts';
import { failure, fieldError } from '../../lib/failures.ts';
import { type Client, isNative, isOwnAddress } from '../clients/index.ts';
import type { DecidingPerson, WaitingRequest } from '../provider/interaction-encryption.ts';
import { SCOPES, type Scope, splitScopes } from '../tokens/scopes.ts';
import { grantedOf, readCategories } from './categories.ts';
import { readRememberedScopes } from './queries.ts';
import { type ConsentDeps, openRequest } from './start-interaction.ts';

const DECISION_TTL_MS = 300_000;
/** A sign-in this much older than the request still counts as made for it. */
const SKEW_S = 5;

function requestedScopes({ params }: WaitingRequest, client: Client): Scope[] {
  return splitScopes(params.scope as string | undefined).filter(
    (scope): scope is Scope => scope in SCOPES && client.scopes.includes(scope),
  );
}

const askedCategories = (request: WaitingRequest): readonly string[] =>
  readCategories(request.params.device_categories) ?? [];

/** True where the sign-in has to be newer than it is: `prompt=login`, `max_age`. */
function mustSignInAgain(request: WaitingRequest, authTime: Date | undefined, now: Date): boolean {
  const at_s = (authTime?.getTime() ?? 0) / 1000;
  if (
    splitScopes(request.params.prompt as string | undefined).includes('login') &&
    at_s < request.iat - SKEW_S
  )
    return true;
  const maxAge_s =
    request.params.max_age === undefined
      ? Number.POSITIVE_INFINITY
      : Number(request.params.max_age);
  return now.getTime() / 1000 - at_s > maxAge_s + SKEW_S;
}

/**
 * True where the person is asked, whatever they allowed before and whoever made the client: what a device may carry,
 * what the client wants asked (`offline_access` is that too), and a client that any program on loopback may pose as.
 */
function isAskedEachTime(
  { params }: WaitingRequest,
  client: Client,
  categories: readonly string[],
  baseUrl: string,
): boolean {
  if (categories.length > 0 || splitScopes(params.prompt as string | undefined).includes('consent'))
    return true;
  return isNative(client) && !isOwnAddress(params.redirect_uri, baseUrl);
}

export interface ShownRequest {
  readonly client: Client;
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
  /** Categories of traffic that the device asks for. */
  readonly categories: readonly string[];
  /** The person allowed all of it before, or the client is the operator's own: the page may go on by itself. */
  readonly isAllowedAlready: boolean;
  readonly mustSignInAgain: boolean;
  readonly loginHint?: string;
}

/** What a request asks of a person. @throws `interaction_expired` */
export async function showRequest(
  deps: ConsentDeps,
  interactionId: string,
  principal: Principal,
): Promise<ShownRequest> {
  const { request, client } = await openRequest(deps, interactionId);
  const scopes = requestedScopes(request, client);
  const categories = askedCategories(request);
  const remembered = await readRememberedScopes(deps.db, principal.userId ?? 0, client.clientId);
  const hint = request.params.login_hint;
  return {
    client,
    redirectUri: String(request.params.redirect_uri),
    scopes,
    categories,
    isAllowedAlready:
      !isAskedEachTime(request, client, categories, deps.baseUrl) &&
      (client.isFirstParty || scopes.every((scope) => remembered.has(scope))),
    mustSignInAgain: mustSignInAgain(request, principal.authTime, deps.clock.now()),
    ...(typeof hint === 'string' && { loginHint: hint }),
  };
}

export interface Decision {
  readonly interactionId: string;
  readonly isAllowed: boolean;
  /** Scopes that the person allows; default: all that are asked. */
  readonly scopes?: readonly string[];
  /** Categories that the person grants; default: all that are asked. */
  readonly categories?: readonly string[];
}

function allowedScopes(
  requested: readonly Scope[],
  { isAllowed, scopes }: Decision,
): readonly string[] {
  if (!isAllowed) return [];
  if (!scopes) return requested;
  const foreign = scopes.find((scope) => !requested.some((known) => known === scope));
  if (foreign !== undefined)
    throw fieldError('scopes', 'not_requested', `holds a scope that was not asked for: ${foreign}`);
  // Without `openid` an OpenID request is none; it says no more than that the person exists.
  return requested.filter((scope) => scopes.includes(scope) || scope === 'openid');
}

function personOf({
  userId = 0,
  jti,
  sid,
  grantId,
  expiresAt,
  authTime,
  issuedAt,
  amr,
}: Principal): DecidingPerson {
  return {
    userId,
    jti,
    sid,
    grantId,
    signedInUntil_ms: expiresAt.getTime(),
    authTime: Math.floor((authTime ?? issuedAt).getTime() / 1000),
    amr,
  };
}

/**
 * Takes the decision and gives the address to go on at. It is recorded when the browser that began takes that way.
 * @throws `interaction_expired`, `reauthentication_required`, `invalid_parameter`
 */
export async function decideConsent(
  deps: ConsentDeps,
  decision: Decision,
  principal: Principal,
): Promise<{ redirectTo: string }> {
  const { request, client } = await openRequest(deps, decision.interactionId);
  const { isAllowed } = decision;
  const now = deps.clock.now();
  if (isAllowed && mustSignInAgain(request, principal.authTime, now))
    throw failure('reauthentication_required', {
      detail: 'The application asks for a newer sign-in: sign in again.',
    });
  const scopes = allowedScopes(requestedScopes(request, client), decision);
  const categories = isAllowed ? grantedOf(askedCategories(request), decision.categories) : [];
  const decidedAt_ms = now.getTime();
  const answer = {
    request,
    decidedAt_ms,
    expiresAt_ms: decidedAt_ms + DECISION_TTL_MS,
    person: personOf(principal),
  };
  const ticket = deps.seals.decision.seal({
    ...answer,
    ...(isAllowed && { allowed: { scopes, categories } }),
  });
  return { redirectTo: `${deps.baseUrl}/oauth2/authorize/${request.uid}?ticket=${ticket}` };
}
