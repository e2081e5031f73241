/** Brings a decision back into the request that waits for it, in the browser that began it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AdapterPayload, Provider } from 'oidc-provider';
import type { Origin, TokenState } from '../../identity/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { type Client, type ClientRegistry, isNative, mayGetCodesAt } from '../clients/index.ts';
import { type GrantLifetimes, holdGrant, makeGrant } from '../provider/grant-payload.ts';
import type { DecidingPerson, Decision, Seals } from '../provider/interaction-encryption.ts';
import {
  beginUnitOfWork,
  keyOf,
  type RecordedDecision,
  type RequestUnit,
} from '../provider/unit-of-work.ts';
import { splitScopes } from '../tokens/scopes.ts';
import { readCategories } from './categories.ts';

export interface ResumeDeps {
  readonly clock: Clock;
  readonly clients: ClientRegistry;
  readonly baseUrl: string;
  readonly seals: Seals;
  readonly tokenState: TokenState;
  readonly lifetimes: GrantLifetimes;
}

function cookieOf(
  provider: Provider,
  req: IncomingMessage,
  res: ServerResponse,
): string | undefined {
  return provider
    .createContext(req, res)
    .cookies.get(provider.cookieName('resume'), { signed: true });
}

/** What the provider goes on with. */
function resultOf(
  deps: ResumeDeps,
  { request: { params }, person, allowed }: Decision,
  unit: RequestUnit,
): Record<string, unknown> {
  if (!allowed) return { error: 'access_denied', error_description: 'The person refused.' };
  const grant = makeGrant(deps.clock, {
    userId: person.userId,
    clientId: String(params.client_id),
    baseUrl: deps.baseUrl,
    requested: splitScopes(params.scope as string | undefined),
    allowed: allowed.scopes,
    categories: {
      asked: readCategories(params.device_categories) ?? [],
      granted: allowed.categories,
    },
    lifetimes: deps.lifetimes,
  });
  holdGrant(unit, grant);
  return {
    login: {
      accountId: String(person.userId),
      ts: person.authTime,
      amr: person.amr,
      sid: person.sid,
      remember: true,
    },
    consent: { grantId: grant.id },
  };
}

/** The sign-in as the access token said that decided; whoever redeems the code is looked at in the database. */
function signInOf({
  userId,
  sid,
  signedInUntil_ms,
}: DecidingPerson): NonNullable<RequestUnit['signIn']> {
  const person = {
    user_id: userId,
    email: '',
    nickname: '',
    operator_scopes: [],
    grants_valid_after_ms: null,
  };
  const facts = {
    ...person,
    is_grant_revoked: false,
    client_scopes: null,
    client_grants_valid_after_ms: null,
    is_let_in: null,
  };
  return {
    accountId: String(userId),
    sid,
    row: { ...facts, sid: sid ?? null, expires_at_ms: sid === undefined ? null : signedInUntil_ms },
  };
}

/** True while nothing has happened to the sign-in, the client or their connection since the decision. */
async function isStillGood(
  { clock, tokenState }: ResumeDeps,
  { request, decidedAt_ms, expiresAt_ms, person }: Decision,
): Promise<boolean> {
  if (expiresAt_ms <= clock.now().getTime()) return false;
  const { jti, sid, grantId, userId } = person;
  const facts = {
    jti,
    sid,
    grantId,
    userId,
    clientId: String(request.params.client_id),
    issuedAt: new Date(decidedAt_ms),
  };
  return (await tokenState.check(facts)) === undefined;
}

/** The decision, with no more than the client may have now. */
function narrowDecision({ allowed, ...decision }: Decision, { scopes }: Client): Decision {
  return {
    ...decision,
    ...(allowed && {
      allowed: { ...allowed, scopes: allowed.scopes.filter((scope) => scopes.includes(scope)) },
    }),
  };
}

/** What is recorded with the answer. */
function recordOf(
  clock: Clock,
  { request, decidedAt_ms, expiresAt_ms, person, allowed }: Decision,
  client: Client,
  origin: Origin,
): RecordedDecision {
  return {
    uid: request.uid,
    decidedAt: new Date(decidedAt_ms),
    expiresAt: new Date(Math.max(expiresAt_ms, request.exp * 1000)),
    userId: person.userId,
    clientId: client.clientId,
    allowed: allowed?.scopes ?? null,
    isRemembered: !isNative(client),
    origin,
    details: {
      client_id: client.clientId,
      client_name: client.name,
      scopes: allowed?.scopes ?? [],
      categories: allowed?.categories ?? [],
    },
    takenAt: clock.now(),
  };
}

export interface ResumeResult {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly origin: Origin;
  /** Interaction that is named in the address, and the ticket that came with it. */
  readonly uid: string;
  readonly ticket: string;
}

/**
 * Takes a decision, when the browser also brings the cookie that the request began with. That it was taken is stored
 * with what comes of it. Returns false when the request must stop here.
 */
export async function resumeRequest(
  provider: Provider,
  deps: ResumeDeps,
  { req, res, origin, uid, ticket }: ResumeResult,
): Promise<boolean> {
  if (cookieOf(provider, req, res) !== uid) return false;
  const decision = deps.seals.decision.open(ticket);
  if (decision?.request.uid !== uid || !(await isStillGood(deps, decision))) return false;
  const { client_id, redirect_uri } = decision.request.params;
  const client = await deps.clients.find(String(client_id));
  if (!client || !mayGetCodesAt(client, String(redirect_uri))) return false;
  const taken = narrowDecision(decision, client);
  const unit = beginUnitOfWork(req, deps.clock.now());
  // The provider compares sessions before and after; the decision itself says who signed in.
  unit.held.set(keyOf('Interaction', uid), {
    ...decision.request,
    kind: 'Interaction',
    jti: uid,
    result: resultOf(deps, taken, unit),
  } as AdapterPayload);
  unit.answered = recordOf(deps.clock, taken, client, origin);
  unit.signIn = signInOf(decision.person);
  return true;
}
