/**
 * What an application that is not first-party learns of a user and a sign-in, so that no two
 * applications can compare: a subject per sector (OpenID Connect Core 8.1) and a session id per
 * application. Its access tokens name the account for the API in an encrypted claim.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { createTokenCipher } from '../../lib/encrypted-token.ts';
import type { MasterKey } from '../../master-key.ts';
import type { Client } from '../clients/index.ts';

/** The user and the sign-in behind a token. */
export interface TokenAccount {
  readonly userId: number;
  readonly sid?: string | undefined;
}

type Audience = Pick<Client, 'clientId' | 'sector' | 'isFirstParty'>;

export interface ApplicationIdentity {
  /** The `sub` of a user at an application. */
  subjectOf(client: Audience, userId: number): string;
  /** The `sid` of a sign-in at an application. */
  sessionOf(client: Audience, sid: string): string;
  /** The claim `user_ref`, which only this service can read. */
  encryptAccount(account: TokenAccount): string;
  /** Undefined for a text that this service did not encrypt. */
  decryptAccount(reference: string): TokenAccount | undefined;
}

const SESSION_BYTES = 16;

export function createApplicationIdentity(masterKey: MasterKey): ApplicationIdentity {
  const subjectKey = createSecretKey(masterKey.derive('oidc-pairwise-subject'));
  const sessionKey = createSecretKey(masterKey.derive('oidc-application-session'));
  const cipher = createTokenCipher<TokenAccount>(masterKey.derive('oidc-token-account'));
  const hash = (key: KeyObject, parts: readonly (string | number)[]): Buffer =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest();
  return {
    subjectOf: ({ isFirstParty, sector }, userId) =>
      isFirstParty ? String(userId) : hash(subjectKey, [sector, userId]).toString('base64url'),
    sessionOf: ({ isFirstParty, clientId }, sid) =>
      isFirstParty
        ? sid
        : hash(sessionKey, [clientId, sid]).subarray(0, SESSION_BYTES).toString('base64url'),
    encryptAccount: (account) => cipher.encrypt(account),
    decryptAccount: (reference) => cipher.decrypt(reference),
  };
}
