/** The running provider: loaded at first use, rebuilt when the keys change. */
import type { Provider } from 'oidc-provider';
import type { OidcContext } from '../context.ts';
import type { KeySet, SigningAlgorithm } from '../keys/index.ts';
import { buildProvider } from './build-provider.ts';
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

export function createProviderCache(context: OidcContext): () => Promise<ProviderHandler> {
  let built: { readonly keys: KeySet; readonly handle: ProviderHandler } | undefined;
  let loading: Promise<Library> | undefined;
  return async () => {
    // Loading the library takes longer than the rest of the service; to import it again for each
    // request takes a twentieth of the request.
    loading ??= import('oidc-provider');
    const [library, current] = await Promise.all([loading, findKeys(context)]);
    if (built?.keys === current) return built.handle;
    const provider = buildProvider(library, current, context);
    installMiddleware(provider, library, context);
    built = { keys: current, handle: provider.callback() };
    return built.handle;
  };
}
