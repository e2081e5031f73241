/** The running provider: loaded when first needed, made anew when the keys change. */
import type { Provider } from 'oidc-provider';
import type { KeyRing, KeySet } from '../keys/index.ts';
import { buildProvider, type Library, type ProviderDeps } from './build-provider.ts';
import { installMiddleware, type MiddlewareDeps } from './middleware.ts';

export interface ProviderHost {
  /** The provider with the keys of now. */
  get(): Promise<Provider>;
  library(): Promise<Library>;
}

export function createProviderHost(
  keys: KeyRing,
  deps: ProviderDeps & MiddlewareDeps,
): ProviderHost {
  let library: Promise<Library> | undefined;
  let built: { readonly keys: KeySet; readonly provider: Provider } | undefined;

  function load(): Promise<Library> {
    library ??= import('oidc-provider').then(({ Provider, errors, interactionPolicy }) => ({
      Provider,
      errors,
      interactionPolicy,
    }));
    return library;
  }

  return {
    library: load,
    async get() {
      const [loaded, current] = await Promise.all([load(), keys.current()]);
      if (built?.keys === current) return built.provider;
      const provider = buildProvider(loaded, current, deps);
      installMiddleware(provider, loaded, deps);
      built = { keys: current, provider };
      return provider;
    },
  };
}
