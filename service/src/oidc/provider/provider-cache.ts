/** The running provider: loaded at first use, rebuilt when keys or resource servers change. */
import { isDeepStrictEqual } from 'node:util';
import type { Provider } from 'oidc-provider';
import type { OidcContext } from '../context.ts';
import type { KeySet, SigningAlgorithm } from '../keys/index.ts';
import { buildProvider, type ProviderState } from './build-provider.ts';
import type { Library } from './library.ts';
import { installMiddleware } from './middleware.ts';

/** Answers a request as the provider with the current keys. */
export type ProviderHandler = ReturnType<Provider['callback']>;

/** Keys of an algorithm are created for the first client that uses it. */
async function findKeys({ keys, clients }: OidcContext): Promise<KeySet> {
  const current = await keys.current();
  // Without a database the provider answers as it always does: with the reason, as 503.
  const used = await clients.listAlgorithms().catch(() => new Set<SigningAlgorithm>());
  if ([...used].every((alg) => current.signingWith(alg))) return current;
  await keys.refresh();
  return keys.current();
}

/** Scopes of the resource servers, those of the last time where the database does not answer. */
async function findResourceScopes(
  { clients }: OidcContext,
  last: readonly string[] = [],
): Promise<readonly string[]> {
  const servers = await clients.resourceServers().catch(() => undefined);
  return servers
    ? [...servers.values()].flatMap(({ scopes }) => scopes.map(({ name }) => name))
    : last;
}

interface BuiltProvider extends ProviderState {
  readonly handle: ProviderHandler;
}

export function createProviderCache(context: OidcContext): () => Promise<ProviderHandler> {
  let built: BuiltProvider | undefined;
  let loading: Promise<Library> | undefined;
  return async () => {
    // Loading the library takes longer than the rest of the service; to import it again for each
    // request takes a twentieth of the request.
    loading ??= import('oidc-provider');
    const [library, keys, resourceScopes] = await Promise.all([
      loading,
      findKeys(context),
      findResourceScopes(context, built?.resourceScopes),
    ]);
    if (built?.keys === keys && isDeepStrictEqual(built.resourceScopes, resourceScopes))
      return built.handle;
    const provider = buildProvider(library, { keys, resourceScopes }, context);
    installMiddleware(provider, library, context);
    built = { keys, resourceScopes, handle: provider.callback() };
    return built.handle;
  };
}
