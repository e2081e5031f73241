/** The words of this domain that others use. */
import type { Db, Transaction } from '../db/index.ts';
import type { LoginIdentity, LoginTokens } from './sessions/index.ts';

export type UserStatus = 'active' | 'disabled' | 'closed';

export interface User {
  readonly userId: number;
  readonly email: string;
  readonly nickname: string;
  readonly referralCode: string;
  readonly referrerId?: number;
  readonly status: UserStatus;
  readonly createdAt: Date;
}

/** Called in the transaction that makes the person: what a domain needs for each person exists with them, or neither does. */
export type UserCreatedHook = (tx: Transaction, user: User) => Promise<void>;

/** Called in the transaction that closes an account, unless its owner gives up what is left in it; throws a failure to refuse. */
export type UserClosingHook = (tx: Transaction, user: User) => Promise<void>;

/** Makes the tokens of a login; the OpenID provider implements it. */
export interface TokenIssuer {
  issueLoginTokens(db: Db, login: LoginIdentity): Promise<LoginTokens>;
}

/** Factors, as the contract names them. */
export const TWO_FACTOR_METHODS = ['EMAIL', 'AUTHENTICATOR', 'PASSKEY'] as const;
export type TwoFactorMethod = (typeof TWO_FACTOR_METHODS)[number];

/** Where a request came from, for limits, sessions and the security log. */
export interface Origin {
  readonly ip: string;
  readonly userAgent: string;
}
