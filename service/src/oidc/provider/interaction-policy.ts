/** When a person is asked, and what a grant then holds. */
import type { Grant, interactionPolicy, KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Db } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { type ClientRegistry, isOwnAddress } from '../clients/index.ts';
import { readRememberedScopes } from '../consent/queries.ts';
import { splitScopes } from '../tokens/scopes.ts';
import { loginSidOf, type SignIns } from './find-account.ts';
import { type GrantLifetimes, holdGrant, makeGrant } from './grant-payload.ts';
import { beginUnitOfWork } from './unit-of-work.ts';

/** Reasons to ask that no request can give here: neither the parameter `claims` nor `authorization_details` is taken. */
const IMPOSSIBLE = {
  login: ['claims_id_token_sub_value', 'essential_acrs', 'essential_acr'],
  consent: ['op_claims_missing', 'rar_prompt'],
} as const;

/**
 * The provider's own policy, with one more reason to ask: the sign-in behind its cookie session has ended. And one
 * reason less: a client on loopback is asked about each time, because any program there may pose as it; but nobody
 * poses as an address of the service itself, which is where its console is, also on loopback.
 */
export function createPolicy(
  { base, Check }: typeof interactionPolicy,
  signIns: SignIns,
  baseUrl: string,
): interactionPolicy.DefaultPolicy {
  const policy = base();
  for (const [prompt, reasons] of Object.entries(IMPOSSIBLE))
    for (const reason of reasons) policy.get(prompt)?.checks.remove(reason);
  const consent = policy.get('consent');
  consent?.checks.remove('native_client_prompt');
  consent?.checks.add(
    new Check(
      'native_client_prompt',
      'native clients require End-User interaction',
      'interaction_required',
      ({ oidc }) => {
        return (
          oidc.client?.applicationType === 'native' &&
          !isOwnAddress(oidc.params?.redirect_uri, baseUrl) &&
          !oidc.result?.consent
        );
      },
    ),
    0,
  );
  const check = new Check('session_ended', 'the sign-in has ended', 'login_required', (ctx) => {
    const { session, account } = ctx.oidc;
    return (
      session?.accountId !== undefined &&
      (account === undefined || signIns.of(ctx)?.session === undefined)
    );
  });
  policy.get('login')?.checks.add(check, 0);
  return policy;
}

export interface GrantDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly clients: ClientRegistry;
  readonly signIns: SignIns;
  readonly baseUrl: string;
  readonly lifetimes: GrantLifetimes;
}

/** What a person allowed earlier, if it covers the request: a client of ours needs no asking, others were remembered. */
async function isAllowedAlready(
  ctx: KoaContextWithOIDC,
  { db, clients, signIns }: GrantDeps,
  requested: readonly string[],
): Promise<boolean> {
  const { client, session } = ctx.oidc;
  if (!client || session?.accountId === undefined || signIns.of(ctx)?.session === undefined)
    return false;
  if ((await clients.find(client.clientId))?.isFirstParty) return true;
  const remembered = await readRememberedScopes(db, Number(session.accountId), client.clientId);
  return requested.every((scope) => remembered.has(scope));
}

/** Finds the grant of this request: the one just consented to, or a new one where nobody has to be asked. */
export function createGrantLoader(deps: GrantDeps) {
  return async (ctx: KoaContextWithOIDC): Promise<Grant | undefined> => {
    const { client, session, provider, result, params } = ctx.oidc;
    if (!client || !session) return undefined;
    const sid = loginSidOf(ctx);
    // One sign-in, one sid: the ID token's, the device token's, and that of every client in this browser.
    if (sid !== undefined)
      for (const id of new Set([...Object.keys(session.authorizations ?? {}), client.clientId]))
        session.sidFor(id, sid);
    const consented = (result as { consent?: { grantId?: string } } | undefined)?.consent?.grantId;
    if (consented !== undefined) return (provider as Provider).Grant.find(consented);
    const requested = splitScopes(params?.scope as string | undefined);
    if (
      params?.device_categories !== undefined ||
      ctx.oidc.prompts.has('consent') ||
      ctx.oidc.prompts.has('login') ||
      !(await isAllowedAlready(ctx, deps, requested))
    )
      return undefined;
    const { clock, baseUrl, lifetimes } = deps;
    const grant = makeGrant(clock, {
      userId: Number(session.accountId),
      clientId: client.clientId,
      baseUrl,
      requested,
      allowed: requested,
      lifetimes,
    });
    holdGrant(beginUnitOfWork(ctx.req, clock.now()), grant);
    return provider.Grant.find(grant.id);
  };
}
