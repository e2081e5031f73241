/** The words of this domain that others use. */
import type { Db, Transaction } from '../db/index.ts';
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
  readonly createdAt: Date;
}

/** Called in the transaction that makes the person: what a domain needs for each person exists with them, or neither does. */
export type UserCreatedHook = (tx: Transaction, user: User) => Promise<void>;

/** What another domain does in the transaction that closes an account. */
export interface UserClosingHook {
  /** First of all: locks what others lock before the person's row. */
  lock(tx: Transaction, userId: number): Promise<void>;
  /** Last of all, the row says `closed`; throws a failure to refuse. `givesUp`: the owner gives up what is left. */
  close(tx: Transaction, user: User, givesUp: boolean): Promise<void>;
}

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

/** The same of somebody who is written to because of it. */
export interface Asker extends Origin {
  /** What they read. */
  readonly language: Language;
}
