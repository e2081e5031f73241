/** Brings a decision back into the request that waits for it, in the browser that began it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AdapterPayload, Provider } from 'oidc-provider';
import type { Db } from '../../db/index.ts';
import type { SignInRow } from '../../identity/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { hashSecret } from '../../lib/ids.ts';
import { type GrantLifetimes, makeGrant } from '../provider/grant-payload.ts';
import { keyOf, openUnit, type RequestUnit } from '../provider/request-unit.ts';
import { splitScopes } from '../tokens/scopes.ts';
import { readCategories } from './categories.ts';

export interface ResumeDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly lifetimes: GrantLifetimes;
}

/** A decision, taken out of the database together with the request that it answers. */
interface Redeemed {
  readonly user_id: number;
  readonly sid: string | null;
  readonly amr: string[];
  readonly auth_time: Date;
  readonly is_allowed: boolean;
  readonly scopes: string[];
  readonly categories: string[];
  readonly payload: AdapterPayload;
  readonly sign_in: SignInRow | null;
}

// Both go or neither does: a secret is worth one request, and that request only. A power failure that brings them back
// has lost the code too, which is written later: the commit need not wait for the disk.
const REDEEM = `with decision as (
    delete from consent_decision where interaction_id = $1 and secret_hash = $2 and expires_at > $3
    returning user_id, sid, amr, auth_time, is_allowed, scopes, categories),
  request as (
    delete from oidc_object where model = 'Interaction' and id = $1 and expires_at > $3 and exists (select 1 from decision) returning payload)
  select decision.*, request.payload, sign_in(decision.user_id, decision.sid, null, $3), set_config('synchronous_commit', 'off', true) from decision, request`;

function cookieOf(provider: Provider, req: IncomingMessage, res: ServerResponse): string | undefined {
  return provider.createContext(req, res).cookies.get(provider.cookieName('resume'), { signed: true });
}

/** Ends the browser's session of another person: the new one must not inherit it. */
async function leaveOtherPerson(provider: Provider, req: IncomingMessage, res: ServerResponse, accountId: string): Promise<void> {
  const session = await provider.Session.get(provider.createContext(req, res) as never);
  if (session.accountId !== undefined && session.accountId !== accountId) await session.destroy();
}

/** What the provider goes on with; the grant is stored with the code that it makes of it. */
function resultOf(deps: ResumeDeps, redeemed: Redeemed, unit: RequestUnit): Record<string, unknown> {
  if (!redeemed.is_allowed) return { error: 'access_denied', error_description: 'The person refused.' };
  const { params = {} } = redeemed.payload;
  const grant = makeGrant(deps.clock, {
    userId: redeemed.user_id,
    clientId: String(params.client_id),
    baseUrl: deps.baseUrl,
    requested: splitScopes(params.scope as string | undefined),
    allowed: redeemed.scopes,
    categories: { asked: readCategories(params.device_categories) ?? [], granted: redeemed.categories },
    lifetimes: deps.lifetimes,
  });
  unit.pending.set(keyOf('Grant', grant.id), grant);
  const ts = Math.floor(redeemed.auth_time.getTime() / 1000);
  return {
    login: { accountId: String(redeemed.user_id), ts, amr: redeemed.amr, sid: redeemed.sid ?? undefined, remember: true },
    consent: { grantId: grant.id },
  };
}

/**
 * Redeems a decision. The secret is taken only when the browser also brings the cookie that the request began with.
 * Returns false when the request must stop here.
 */
export async function resumeRequest(
  provider: Provider,
  deps: ResumeDeps,
  req: IncomingMessage,
  res: ServerResponse,
  uid: string,
  secret: string,
): Promise<boolean> {
  if (cookieOf(provider, req, res) !== uid) return false;
  const { rows } = await deps.db.prepared<Redeemed>('consent-redeem', REDEEM, [uid, hashSecret(secret), deps.clock.now()]);
  const redeemed = rows[0];
  if (!redeemed) return false;
  await leaveOtherPerson(provider, req, res, String(redeemed.user_id));
  const unit = openUnit(req);
  const key = keyOf('Interaction', uid);
  // The provider compares sessions before and after; the decision itself says who signed in.
  unit.held.set(key, { ...redeemed.payload, session: undefined, result: resultOf(deps, redeemed, unit) } as AdapterPayload);
  unit.taken.add(key);
  unit.signIn = { accountId: String(redeemed.user_id), sid: redeemed.sid ?? undefined, row: redeemed.sign_in };
  return true;
}
