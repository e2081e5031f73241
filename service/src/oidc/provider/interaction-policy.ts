/** When the user is asked, and which grant a request gets. */
import type { Grant, interactionPolicy, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { isNativeRedirect, isOwnAddress } from '../clients/index.ts';
import { readRememberedScopes } from '../consent/queries.ts';
import { isOtherUser } from '../consent/required-sign-in.ts';
import type { OidcContext } from '../context.ts';
import { listAudiences } from '../resource-servers/requested-scopes.ts';
import { chooseAcr, findSatisfied, readRequestedAcr } from '../tokens/acr.ts';
import { splitScopes } from '../tokens/scopes.ts';
import { loginSidOf, type SignIns } from './find-account.ts';
import { createGrant } from './grants.ts';
import { writeObject } from './object-store.ts';

/**
 * The library's own policy with two changes. The user signs in again when the sign-in behind the
 * cookie session has ended. A request that ends on loopback needs consent each time, because any
 * program can answer there, except at an address of the service itself, where its console is.
 */
export function createPolicy(
  { base, Check, Prompt }: typeof interactionPolicy,
  signIns: SignIns,
  context: OidcContext,
): interactionPolicy.DefaultPolicy {
  const policy = base();
  // The page acts on them; the decision that comes back settles them.
  for (const name of ['select_account', 'create'])
    policy.add(new Prompt({ name, requestable: true }), 0);
  const consent = policy.get('consent');
  // A claim is granted by its scope (claims-parameter.ts).
  consent?.checks.remove('op_claims_missing');
  consent?.checks.remove('native_client_prompt');
  consent?.checks.add(
    new Check(
      'native_client_prompt',
      'native clients require End-User interaction',
      'interaction_required',
      ({ oidc }) =>
        isNativeRedirect(String(oidc.params?.redirect_uri)) &&
        !isOwnAddress(oidc.params?.redirect_uri, context.baseUrl) &&
        !oidc.result?.consent,
    ),
    0,
  );
  const isSessionEnded = (ctx: KoaContextWithOIDC): boolean =>
    ctx.oidc.session?.accountId !== undefined &&
    (ctx.oidc.account === undefined || signIns.of(ctx)?.session === undefined);
  const login = policy.get('login');
  login?.checks.add(
    new Check('session_ended', 'the sign-in has ended', 'login_required', isSessionEnded),
    0,
  );
  // The library compares with the account; applications know the user by another subject.
  for (const reason of ['id_token_hint', 'claims_id_token_sub_value']) login?.checks.remove(reason);
  login?.checks.add(
    new Check('other_user', 'another user is signed in', 'login_required', (ctx) =>
      isOtherUserSignedIn(ctx, context),
    ),
  );
  login?.checks.add(
    new Check('acr_values', 'a stronger sign-in is requested', 'login_required', isStepUpRequested),
  );
  return policy;
}

/** True where the request names another user than the session's. */
async function isOtherUserSignedIn(
  { oidc }: KoaContextWithOIDC,
  context: OidcContext,
): Promise<boolean> {
  const client = oidc.client && (await context.clients.find(oidc.client.clientId));
  const { params, session } = oidc;
  return (
    client !== undefined &&
    session?.accountId !== undefined &&
    params !== undefined &&
    isOtherUser(context, params, client, Number(session.accountId))
  );
}

/** True where the page should find out whether the user can sign in as `acr_values` asks. */
function isStepUpRequested({ oidc }: KoaContextWithOIDC): boolean {
  const { params, session, result, prompts } = oidc;
  if (!params || session?.accountId === undefined || result || prompts.has('none')) return false;
  const requested = readRequestedAcr(params);
  return requested.values.length > 0 && findSatisfied(requested, session.amr ?? []) === undefined;
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
    // The session keeps the id of its sign-in for each client.
    if (sid !== undefined)
      for (const id of new Set([...Object.keys(session.authorizations ?? {}), client.clientId]))
        session.sidFor(id, sid);
    // Of all that is true of the sign-in, what this request asks for.
    session.acr = chooseAcr(readRequestedAcr(params ?? {}), session.amr ?? []);
    const consented = (result as { consent?: { grantId?: string } } | undefined)?.consent?.grantId;
    if (consented !== undefined) return provider.Grant.find(consented);
    const requested = splitScopes(params?.scope as string | undefined);
    if (!(await isCovered(ctx, context, requested))) return undefined;
    const grant = createGrant(context, {
      userId: Number(session.accountId),
      clientId: client.clientId,
      requested,
      allowed: requested,
      audiences: listAudiences(params ?? {}),
    });
    await writeObject(context.database, grant);
    return new provider.Grant(grant.payload as never);
  };
}
