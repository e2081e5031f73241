/** When the user is asked, and which grant a request gets. */
import type { Grant, interactionPolicy, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { isOwnAddress } from '../clients/index.ts';
import { readRememberedScopes } from '../consent/queries.ts';
import type { OidcContext } from '../context.ts';
import { splitScopes } from '../tokens/scopes.ts';
import { loginSidOf, type SignIns } from './find-account.ts';
import { createGrant } from './grants.ts';
import { writeObject } from './object-store.ts';

/**
 * The library's own policy with two changes. The user signs in again when the sign-in behind the
 * cookie session has ended. A client on loopback needs consent each time, because any program there
 * can impersonate it, except at an address of the service itself, where its console is.
 */
export function createPolicy(
  { base, Check }: typeof interactionPolicy,
  signIns: SignIns,
  baseUrl: string,
): interactionPolicy.DefaultPolicy {
  const policy = base();
  const consent = policy.get('consent');
  consent?.checks.remove('native_client_prompt');
  consent?.checks.add(
    new Check(
      'native_client_prompt',
      'native clients require End-User interaction',
      'interaction_required',
      ({ oidc }) =>
        oidc.client?.applicationType === 'native' &&
        !isOwnAddress(oidc.params?.redirect_uri, baseUrl) &&
        !oidc.result?.consent,
    ),
    0,
  );
  const isSessionEnded = (ctx: KoaContextWithOIDC): boolean =>
    ctx.oidc.session?.accountId !== undefined &&
    (ctx.oidc.account === undefined || signIns.of(ctx)?.session === undefined);
  policy
    .get('login')
    ?.checks.add(
      new Check('session_ended', 'the sign-in has ended', 'login_required', isSessionEnded),
      0,
    );
  return policy;
}

type GrantLoaderContext = OidcContext & { readonly signIns: SignIns };

/** True where no question is needed: a first-party client, or remembered consent. */
async function isCovered(
  ctx: KoaContextWithOIDC,
  { database, clients, signIns }: GrantLoaderContext,
  requested: readonly string[],
): Promise<boolean> {
  const { client, session, params, prompts } = ctx.oidc;
  if (
    !client ||
    session?.accountId === undefined ||
    signIns.of(ctx)?.session === undefined ||
    params?.device_categories !== undefined ||
    prompts.has('consent') ||
    prompts.has('login')
  )
    return false;
  if ((await clients.find(client.clientId))?.isFirstParty) return true;
  const remembered = await readRememberedScopes(
    database,
    Number(session.accountId),
    client.clientId,
  );
  return requested.every((scope) => remembered.has(scope));
}

/** The grant of a request: of the consent just given, or a new one where none is needed. */
export function createGrantLoader(context: GrantLoaderContext) {
  return async (ctx: KoaContextWithOIDC): Promise<Grant | undefined> => {
    const { client, session, result, params } = ctx.oidc;
    const provider = ctx.oidc.provider as Provider;
    if (!client || !session) return undefined;
    const sid = loginSidOf(ctx);
    // ID tokens and device tokens of all clients of the session carry the same sid.
    if (sid !== undefined)
      for (const id of new Set([...Object.keys(session.authorizations ?? {}), client.clientId]))
        session.sidFor(id, sid);
    const consented = (result as { consent?: { grantId?: string } } | undefined)?.consent?.grantId;
    if (consented !== undefined) return provider.Grant.find(consented);
    const requested = splitScopes(params?.scope as string | undefined);
    if (!(await isCovered(ctx, context, requested))) return undefined;
    const grant = createGrant(context, {
      userId: Number(session.accountId),
      clientId: client.clientId,
      requested,
      allowed: requested,
    });
    await writeObject(context.database, grant);
    return new provider.Grant(grant.payload as never);
  };
}
