/**
 * A user's decision about an authorization request. It is issued as an encrypted one-time ticket.
 * Only the browser that started the request has both the ticket and its own cookie, so a link sent
 * to a victim gives the sender nothing.
 */
import type { Principal } from '../../http/index.ts';
import { fieldError } from '../../lib/failures.ts';
import { type Client, isNativeRedirect, isOwnAddress } from '../clients/index.ts';
import type { OidcContext } from '../context.ts';
import type {
  DecidingUser,
  EncryptedDecision,
  WaitingRequest,
} from '../provider/interaction-encryption.ts';
import { findRequestedScopes } from '../resource-servers/requested-scopes.ts';
import { splitScopes } from '../tokens/scopes.ts';
import { readSignInTime } from '../tokens/sign-in-time.ts';
import { readCategories, selectCategories } from './categories.ts';
import { readRememberedScopes } from './queries.ts';
import { findMissing, isOtherUser, requireSignIn } from './required-sign-in.ts';
import { openRequest } from './start-interaction.ts';

const DECISION_TTL_MS = 300_000;

const requestedCategories = (request: WaitingRequest): readonly string[] =>
  readCategories(request.params.device_categories) ?? [];

/** True where the application lets the user choose, and the user has not just signed in. */
async function isChoiceRequested(
  { database }: OidcContext,
  { params, iat }: WaitingRequest,
  principal: Principal,
): Promise<boolean> {
  if (!splitScopes(params.prompt as string | undefined).includes('select_account')) return false;
  return (await readSignInTime(database, principal)).getTime() / 1000 < iat;
}

/**
 * True where consent is needed each time: traffic categories, `prompt=consent` (`offline_access`
 * implies it), and redirect URIs where any program can answer.
 */
function needsConsentEachTime(
  { params }: WaitingRequest,
  categories: readonly string[],
  baseUrl: string,
): boolean {
  if (categories.length > 0 || splitScopes(params.prompt as string | undefined).includes('consent'))
    return true;
  const redirectUri = String(params.redirect_uri);
  return isNativeRedirect(redirectUri) && !isOwnAddress(redirectUri, baseUrl);
}

export interface ShownRequest {
  readonly client: Client;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  /** Traffic categories that the device requests. */
  readonly categories: readonly string[];
  /** Consent exists already, or the client is first-party: the page may continue by itself. */
  readonly isAllowedAlready: boolean;
  readonly mustSignInAgain: boolean;
  readonly loginHint?: string;
}

/** What a request asks of the user. @throws `interaction_expired` */
export async function showRequest(
  context: OidcContext,
  interactionId: string,
  principal: Principal,
): Promise<ShownRequest> {
  const { request, client } = await openRequest(context, interactionId);
  const scopes = await findRequestedScopes(context.clients, request.params, client);
  const categories = requestedCategories(request);
  const remembered = await readRememberedScopes(
    context.database,
    principal.userId ?? 0,
    client.clientId,
  );
  const hint = request.params.login_hint;
  return {
    client,
    redirectUri: String(request.params.redirect_uri),
    scopes,
    categories,
    isAllowedAlready:
      !needsConsentEachTime(request, categories, context.baseUrl) &&
      !(await isChoiceRequested(context, request, principal)) &&
      (client.isFirstParty || scopes.every((scope) => remembered.has(scope))),
    mustSignInAgain:
      isOtherUser(context, request.params, client, principal.userId ?? 0) ||
      (await findMissing(context, request, principal)) !== undefined,
    ...(typeof hint === 'string' && { loginHint: hint }),
  };
}

export interface ConsentDecision {
  readonly interactionId: string;
  readonly isAllowed: boolean;
  /** Scopes that the user allows; default: all requested ones. */
  readonly scopes?: readonly string[];
  /** Categories that the user grants; default: all requested ones. */
  readonly categories?: readonly string[];
}

function allowedScopes(
  requested: readonly string[],
  { isAllowed, scopes }: ConsentDecision,
): readonly string[] {
  if (!isAllowed) return [];
  if (!scopes) return requested;
  const foreign = scopes.find((scope) => !requested.includes(scope));
  if (foreign !== undefined)
    throw fieldError('scopes', 'not_requested', `contains an unrequested scope: ${foreign}`);
  // An OpenID Connect request needs `openid`, which reveals no more than that the user exists.
  return requested.filter((scope) => scopes.includes(scope) || scope === 'openid');
}

function toDecidingUser({
  userId = 0,
  jti,
  sid,
  grantId,
  authTime,
  issuedAt,
  amr,
}: Principal): DecidingUser {
  return {
    userId,
    jti,
    sid,
    grantId,
    authTime: Math.floor((authTime ?? issuedAt).getTime() / 1000),
    amr,
  };
}

/**
 * Checks the decision and returns the URL to continue at. The decision is recorded when the browser
 * that started the request opens that URL.
 * @throws `interaction_expired`, `reauthentication_required`,
 *   `unmet_authentication_requirements`, `invalid_parameter`
 */
export async function decideConsent(
  context: OidcContext,
  decision: ConsentDecision,
  principal: Principal,
): Promise<{ redirectTo: string }> {
  const { request, client } = await openRequest(context, decision.interactionId);
  const { isAllowed } = decision;
  const now = context.clock.now();
  const isForOther =
    isAllowed && isOtherUser(context, request.params, client, principal.userId ?? 0);
  if (isAllowed && !isForOther) await requireSignIn(context, request, principal);
  const requested = await findRequestedScopes(context.clients, request.params, client);
  const scopes = allowedScopes(requested, decision);
  const categories = isAllowed
    ? selectCategories(requestedCategories(request), decision.categories)
    : [];
  const decidedAt_ms = now.getTime();
  const encrypted: EncryptedDecision = {
    request,
    decidedAt_ms,
    expiresAt_ms: decidedAt_ms + DECISION_TTL_MS,
    user: toDecidingUser(principal),
    ...(isForOther ? { isForOther } : isAllowed && { allowed: { scopes, categories } }),
  };
  const ticket = context.encryption.decision.encrypt(encrypted);
  return { redirectTo: `${context.baseUrl}/oauth2/authorize/${request.uid}?ticket=${ticket}` };
}
