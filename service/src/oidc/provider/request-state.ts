/** What this service keeps in the Koa context of a request that the provider serves. */
import type { AdapterPayload, KoaContextWithOIDC } from 'oidc-provider';
import type { SignInRow } from '../../identity/index.ts';
import type { StoredObject } from './object-store.ts';

export interface RequestState {
  /** Before anything was read that tokens of this request are made from. */
  receivedAt?: Date;
  /** The authorization request that continues with the user's decision. */
  resumed?: { readonly interaction: AdapterPayload; readonly accountId: string };
  /** The sign-in that was read along with a decision or a consumed code; null: not active. */
  signIn?: SignInRow | null;
  /** The sign-in of the code or token that was read; applications know it by other ids. */
  loginSid?: string | undefined;
  /** The sign-in that the browser's session belonged to when it was read. */
  sessionSid?: string | undefined;
  /** The grant that was read or written along with a decision, code or token. */
  grant?: AdapterPayload;
  /** What is written before the answer leaves, by model and id. */
  deferred?: Map<string, StoredObject>;
  /** The library refused to introspect or revoke a JWT. */
  isJwtRefused?: boolean;
}

export function stateOf(ctx: KoaContextWithOIDC | undefined): RequestState {
  return (ctx?.state ?? {}) as RequestState;
}
