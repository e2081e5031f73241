/** What is used of `oidc-provider`, which is loaded late. */
import type { errors as Errors, interactionPolicy as Policy, Provider } from 'oidc-provider';

/** The library, imported at first use. */
export interface Library {
  readonly Provider: typeof Provider;
  readonly errors: typeof Errors;
  readonly interactionPolicy: typeof Policy;
}
