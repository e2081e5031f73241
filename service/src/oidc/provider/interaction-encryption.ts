/**
 * What the browser carries encrypted from one step of a request to the next, so that nothing is
 * stored before there is a code.
 */
import { createTokenCipher, type TokenCipher } from '../../lib/encrypted-token.ts';
import type { MasterKey } from '../../master-key.ts';

/** The limit of an interaction id: a longer one, with its decision, would not fit into a URL. */
export const INTERACTION_ID_MAX = 8192;

/** An authorization request that waits for a user; encrypted, it is the interaction id. */
export interface WaitingRequest {
  readonly uid: string;
  /** When the browser came, Unix time in seconds, with milliseconds. */
  readonly iat: number;
  /** Unix time in seconds. */
  readonly exp: number;
  readonly params: Readonly<Record<string, unknown>>;
  /** The pushed request (RFC 9126) that it came from, which serves once. */
  readonly parJti?: string | undefined;
  /** Names of the parameters that the client authenticated. */
  readonly trusted?: readonly string[] | undefined;
}

/** A user's decision; encrypted, it is the ticket that continues the request. */
export interface EncryptedDecision {
  readonly request: WaitingRequest;
  readonly decidedAt_ms: number;
  readonly expiresAt_ms: number;
  readonly user: DecidingUser;
  /** The application asked for another user. */
  readonly isForOther?: boolean;
  /** Absent: denied, or for another user. */
  readonly allowed?: { readonly scopes: readonly string[]; readonly categories: readonly string[] };
}

/** The user who decided, and the sign-in of the access token. */
export interface DecidingUser {
  readonly userId: number;
  readonly jti: string;
  readonly sid?: string | undefined;
  readonly grantId?: string | undefined;
  /** Unix time in seconds. */
  readonly authTime: number;
  readonly amr: readonly string[];
}

export interface InteractionEncryption {
  readonly request: TokenCipher<WaitingRequest>;
  readonly decision: TokenCipher<EncryptedDecision>;
}

export function createInteractionEncryption(masterKey: MasterKey): InteractionEncryption {
  return {
    request: createTokenCipher(masterKey.derive('oidc-waiting-request')),
    decision: createTokenCipher(masterKey.derive('oidc-decision')),
  };
}
