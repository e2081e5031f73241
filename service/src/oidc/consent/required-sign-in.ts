/** Whether an authorization request needs another sign-in than that of the deciding user. */
import { decodeJwt } from 'jose';
import type { Principal } from '../../http/index.ts';
import { listMethods } from '../../identity/index.ts';
import { type FailureCode, failure } from '../../lib/failures.ts';
import type { Client } from '../clients/index.ts';
import type { OidcContext } from '../context.ts';
import type { WaitingRequest } from '../provider/interaction-encryption.ts';
import { couldSatisfy, findSatisfied, readRequestedAcr } from '../tokens/acr.ts';
import { splitScopes } from '../tokens/scopes.ts';
import { readSignInTime } from '../tokens/sign-in-time.ts';

const asksForLogin = ({ params }: WaitingRequest): boolean =>
  splitScopes(params.prompt as string | undefined).includes('login');

/** True for `prompt=login` and `max_age`. */
function limitsAge(request: WaitingRequest): boolean {
  return request.params.max_age !== undefined || asksForLogin(request);
}

/** True where the sign-in is older than the request allows. Both limits count from the request. */
function isTooOld(request: WaitingRequest, signedInAt: Date): boolean {
  const age_s = request.iat - signedInAt.getTime() / 1000;
  const { max_age } = request.params;
  if (asksForLogin(request) && age_s > 0) return true;
  return max_age !== undefined && age_s > Math.max(0, Number(max_age));
}

/** The subject that `id_token_hint` or `claims` names; undefined: any. */
function expectedSubject(params: WaitingRequest['params']): string | undefined {
  const { id_token_hint, claims } = params;
  if (typeof claims === 'string') {
    const { id_token } = JSON.parse(claims) as { id_token?: { sub?: { value?: unknown } | null } };
    if (typeof id_token?.sub?.value === 'string') return id_token.sub.value;
  }
  // The provider verified it when the request began.
  return typeof id_token_hint === 'string' ? decodeJwt(id_token_hint).sub : undefined;
}

/** True where the application asks for another user (OpenID Connect Core 3.1.2.1). */
export function isOtherUser(
  { applications }: OidcContext,
  params: WaitingRequest['params'],
  client: Client,
  userId: number,
): boolean {
  const expected = expectedSubject(params);
  return expected !== undefined && expected !== applications.subjectOf(client, userId);
}

/**
 * Why the user has to sign in again; undefined: the sign-in is enough. `acr_values` asks for a
 * stronger sign-in once, of users who have a factor for it; an essential `acr` always does.
 */
export async function findMissing(
  { database, clock }: OidcContext,
  request: WaitingRequest,
  principal: Principal,
): Promise<FailureCode | undefined> {
  const requested = readRequestedAcr(request.params);
  const isStrong =
    requested.values.length === 0 || findSatisfied(requested, principal.amr) !== undefined;
  // Most requests ask for nothing of it.
  if (isStrong && !limitsAge(request)) return undefined;
  const signedInAt = await readSignInTime(database, principal);
  if (isTooOld(request, signedInAt)) return 'reauthentication_required';
  if (isStrong) return undefined;
  if (requested.isEssential) return 'unmet_authentication_requirements';
  if (signedInAt.getTime() / 1000 >= request.iat) return undefined;
  const methods = await listMethods(database, clock, principal.userId ?? 0);
  return couldSatisfy(requested, methods) ? 'reauthentication_required' : undefined;
}

/** @throws `reauthentication_required`, `unmet_authentication_requirements` */
export async function requireSignIn(
  context: OidcContext,
  request: WaitingRequest,
  principal: Principal,
): Promise<void> {
  const missing = await findMissing(context, request, principal);
  if (missing === 'reauthentication_required')
    throw failure(missing, { detail: 'The application requires a newer sign-in: sign in again.' });
  if (missing) throw failure(missing);
}
