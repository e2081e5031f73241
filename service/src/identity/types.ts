/** Types of this domain that others use. */
import type { Transaction } from '../db/index.ts';
import type { Language } from '../lib/language.ts';
import type { LoginIdentity, LoginTokens } from './sessions/index.ts';

export type UserStatus = 'active' | 'disabled' | 'closed';

export interface User {
  readonly userId: number;
  readonly email: string;
  readonly nickname: string;
  readonly referralCode: string;
  readonly referrerId?: number;
  readonly status: UserStatus;
  /** Assigned by operators. */
  readonly groups: readonly string[];
  readonly createdAt: Date;
}

/** Called in the transaction that creates a user, to create what another domain needs with it. */
export type UserCreatedHook = (tx: Transaction, user: User) => Promise<void>;

/** Called in the transaction that closes an account. */
export interface UserClosingHook {
  /** First: locks what other transactions lock before the user's row. */
  lock(tx: Transaction, userId: number): Promise<void>;
  /** Last; throws a failure to refuse. `abandonsBalance`: the owner gives up the balance. */
  close(tx: Transaction, user: User, abandonsBalance: boolean): Promise<void>;
}

/**
 * Called in the transaction of a sign-in from an address from which the user has not signed in for
 * 90 days.
 */
export type NewAddressHook = (
  tx: Transaction,
  signIn: { readonly userId: number; readonly language: Language },
) => Promise<void>;

/** Issues the tokens of a login; the OpenID provider implements it. */
export interface TokenIssuer {
  issueLoginTokens(login: LoginIdentity): Promise<LoginTokens>;
}

/** Second factors, as the contract names them. */
export const TWO_FACTOR_METHODS = ['EMAIL', 'AUTHENTICATOR', 'PASSKEY'] as const;
export type TwoFactorMethod = (typeof TWO_FACTOR_METHODS)[number];

/** Runs code on a chain (`eth_call` of a creation); undefined: no answer that counts. */
export type RunOnChain = (chainId: number, code: string) => Promise<string | undefined>;

/** Origin of a request, for limits, sessions, mails and the security log. */
export interface RequestOrigin {
  readonly ip: string;
  readonly userAgent: string;
  /** The language of mails that the request causes. */
  readonly language: Language;
  /** Header `Challenge-Solution`, where a request is repeated with it. */
  readonly challengeSolution?: string;
}

/** What the network pays for now. */
export interface PaidKinds {
  readonly hasUptime: boolean;
  readonly hasTraffic: boolean;
  readonly hasReferral: boolean;
}
