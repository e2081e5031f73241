/** What the browser carries sealed from one step to the next, so that nothing is stored before there is a code. */
import { createTextSealer, type TextSealer } from '../../lib/encrypted-token.ts';
import type { MasterKey } from '../../master-key.ts';

/** A longer one would not fit into an address any more, with the decision about it. */
export const SEALED_REQUEST_MAX = 8192;

/** An authorization request that waits for a person; sealed, it is the interaction id. */
export interface WaitingRequest {
  readonly uid: string;
  /** Unix time in seconds. */
  readonly iat: number;
  readonly exp: number;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A person's answer to a request; sealed, it is the ticket to go on with. */
export interface Decision {
  readonly request: WaitingRequest;
  readonly decidedAt_ms: number;
  readonly expiresAt_ms: number;
  readonly person: DecidingPerson;
  /** Absent: refused. */
  readonly allowed?: { readonly scopes: readonly string[]; readonly categories: readonly string[] };
}

/** Who decided, and the sign-in that the access token came from. */
export interface DecidingPerson {
  readonly userId: number;
  readonly jti: string;
  readonly sid?: string | undefined;
  readonly grantId?: string | undefined;
  readonly signedInUntil_ms: number;
  /** Unix time in seconds. */
  readonly authTime: number;
  readonly amr: readonly string[];
}

/** The provider's cookie session: whose it is, and the sign-in that it lives and ends with. */
export interface BrowserSession {
  readonly uid: string;
  readonly accountId?: string | undefined;
  readonly loginTs?: number | undefined;
  readonly amr?: readonly string[] | undefined;
  readonly sid?: string | undefined;
}

export interface Seals {
  readonly request: TextSealer<WaitingRequest>;
  readonly decision: TextSealer<Decision>;
  readonly session: TextSealer<BrowserSession>;
}

export function createSeals(masterKey: MasterKey): Seals {
  return {
    request: createTextSealer(masterKey.derive('oidc-waiting-request')),
    decision: createTextSealer(masterKey.derive('oidc-decision')),
    session: createTextSealer(masterKey.derive('oidc-browser-session')),
  };
}
