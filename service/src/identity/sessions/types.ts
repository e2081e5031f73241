/** Sessions and what can happen to the tokens of one. */

export interface NewSession {
  readonly sid: string;
  readonly userId: number;
  /** How the user signed in (RFC 8176): `pwd`, `email`, `otp`, `hwk`, `mfa`, … */
  readonly amr: readonly string[];
  readonly authTime: Date;
  /** No token of the session lives longer. */
  readonly expiresAt: Date;
  readonly ip: string;
  readonly userAgent: string;
}

export interface Session extends NewSession {
  readonly clientId?: string;
  readonly createdAt: Date;
  readonly endedAt?: Date;
  readonly endReason?: string;
}

/**
 * What is revoked. `user`, `node` (`USER NODE`), `client` and `connection` (`USER CLIENT`): all
 * their tokens issued up to now. `all`: the tokens of all users.
 */
export type RevocationKind =
  | 'jti'
  | 'sid'
  | 'grant'
  | 'user'
  | 'node'
  | 'client'
  | 'connection'
  | 'all';

export interface Revocation {
  readonly kind: RevocationKind;
  readonly value: string;
  readonly reason: string;
  readonly effectiveAt: Date;
  readonly until: Date;
  /** A session that a revocation of the kind `user` spares. */
  readonly sparedSid?: string;
}

/** The login that tokens are issued for. */
export interface LoginIdentity {
  readonly userId: number;
  readonly email: string;
  readonly sid: string;
  readonly amr: readonly string[];
  readonly authTime: Date;
  /** Of both tokens; whole seconds count. */
  readonly expiresAt: Date;
}

export interface LoginTokens {
  readonly accessToken: string;
  readonly deviceToken: string;
}
