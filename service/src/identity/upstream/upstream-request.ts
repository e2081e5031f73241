/** What a request to an upstream provider carries in its `state`, encrypted: nothing is stored. */

import type { Clock } from '../../lib/clock.ts';
import { createTokenCipher, type TokenCipher } from '../../lib/encrypted-token.ts';
import { failure } from '../../lib/failures.ts';
import { hashSecret } from '../../lib/ids.ts';
import type { MasterKey } from '../../master-key.ts';

/** Time for the sign-in at the provider. */
export const REQUEST_LIFETIME_S = 900;
/** Time to choose a name for a new account. */
export const REGISTRATION_LIFETIME_S = 1200;

export interface UpstreamRequest {
  readonly purpose: 'sign_in' | 'link';
  readonly providerId: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly exp_ms: number;
  /** Hash of the cookie of the browser that started it. */
  readonly browserHash?: string;
  /** Of a link: who asks, in which session. */
  readonly sid?: string;
}

/** An account of a provider that may become an account here. */
export interface UpstreamRegistration {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  readonly exp_ms: number;
  readonly browserHash?: string;
}

export interface UpstreamTokens {
  readonly request: TokenCipher<UpstreamRequest>;
  readonly registration: TokenCipher<UpstreamRegistration>;
}

export function createUpstreamTokens(masterKey: MasterKey): UpstreamTokens {
  return {
    request: createTokenCipher(masterKey.derive('upstream-request')),
    registration: createTokenCipher(masterKey.derive('upstream-registration')),
  };
}

interface Expiring {
  readonly exp_ms: number;
  readonly browserHash?: string;
}

/** The members of what `browser` starts now. */
export function startedBy(clock: Clock, lifetime_s: number, browser: string | undefined): Expiring {
  const exp_ms = clock.now().getTime() + lifetime_s * 1000;
  return browser === undefined ? { exp_ms } : { exp_ms, browserHash: hashSecret(browser) };
}

/** Opens a token of the browser that it was made for. @throws `invalid_ticket` */
export function openToken<T extends Expiring>(
  { cipher, clock }: { readonly cipher: TokenCipher<T>; readonly clock: Clock },
  token: string,
  browser: string | undefined,
): T {
  const value = cipher.decrypt(token);
  if (value === undefined || value.exp_ms <= clock.now().getTime()) throw failure('invalid_ticket');
  // What a program has started is no browser's either: its owner could be another person.
  const presented = browser === undefined ? undefined : hashSecret(browser);
  if (presented !== value.browserHash) throw failure('invalid_ticket');
  return value;
}
