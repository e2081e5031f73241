/** Brings a decision back into the request that waits for it, in the browser that began it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import type { Db } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { fillGrant } from '../provider/interaction-policy.ts';
import { splitScopes } from '../tokens/scopes.ts';
import { newTokenId } from '../tokens/token-id.ts';
import { type RedeemedDecision, redeemDecision } from './decide-consent.ts';

export interface ResumeDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly baseUrl: string;
}

type InteractionRecord = InstanceType<Provider['Interaction']>;

function cookieOf(provider: Provider, req: IncomingMessage, res: ServerResponse): string | undefined {
  return provider.createContext(req, res).cookies.get(provider.cookieName('resume'), { signed: true });
}

/** Ends the browser's session of another person: the new one must not inherit it. */
async function leaveOtherPerson(
  provider: Provider,
  req: IncomingMessage,
  res: ServerResponse,
  interaction: InteractionRecord,
  accountId: string,
): Promise<void> {
  const session = await provider.Session.get(provider.createContext(req, res) as never);
  if (session.accountId !== undefined && session.accountId !== accountId) await session.destroy();
  // The provider compares sessions before and after; the decision itself says who signed in.
  Object.assign(interaction, { session: undefined });
}

async function allow(provider: Provider, deps: ResumeDeps, interaction: InteractionRecord, decision: RedeemedDecision): Promise<Record<string, unknown>> {
  const accountId = String(decision.userId);
  const grant = new provider.Grant({ jti: newTokenId(deps.clock.now()), accountId, clientId: String(interaction.params.client_id) } as never);
  fillGrant(grant, deps.baseUrl, splitScopes(interaction.params.scope as string | undefined), decision.scopes);
  return {
    login: { accountId, ts: Math.floor(decision.authTime.getTime() / 1000), amr: [...decision.amr], sid: decision.sid, remember: true },
    consent: { grantId: await grant.save() },
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
  const interaction = await provider.Interaction.find(uid);
  if (!interaction) return false;
  const decision = await redeemDecision(deps.db, deps.clock, uid, secret);
  if (!decision) return false;
  await leaveOtherPerson(provider, req, res, interaction, String(decision.userId));
  const result = decision.isAllowed ? await allow(provider, deps, interaction, decision) : { error: 'access_denied', error_description: 'The person refused.' };
  Object.assign(interaction, { result });
  await interaction.persist();
  return true;
}
