/** Passkey assertions over a document: the challenge is the hash of what is approved. */
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { Config } from '../../config.ts';
import type { Db, Transaction } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { listPasskeys, relyingParty, verifyAssertion } from './passkeys.ts';

export interface ApprovalRequest {
  readonly userId: number;
  /** base64url; the challenge that is to be signed. */
  readonly hash: string;
  /** Credential that alone is offered, while the person has it. */
  readonly preferred?: string;
}

/** A hash as the challenge of `navigator.credentials.get`, for the passkeys of one person. */
export async function createApprovalOptions(
  db: Db,
  config: Config,
  { userId, hash, preferred }: ApprovalRequest,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const all = await listPasskeys(db, userId);
  const chosen = all.filter(({ credential_id }) => credential_id === preferred);
  const passkeys = chosen.length > 0 ? chosen : all;
  return generateAuthenticationOptions({
    rpID: relyingParty(config).id,
    challenge: Uint8Array.from(Buffer.from(hash, 'base64url')),
    allowCredentials: passkeys.map(({ credential_id, transports }) => ({
      id: credential_id,
      transports,
    })),
    userVerification: 'required',
  });
}

export interface Approval {
  readonly userId: number;
  /** base64url; the challenge that was signed. */
  readonly hash: string;
  readonly response: AuthenticationResponseJSON;
}

/**
 * Verifies an assertion by a passkey of this person over the hash, with user verification.
 * @returns the public key, COSE; undefined for any other assertion
 */
export async function verifyApproval(
  tx: Transaction,
  context: { readonly config: Config; readonly clock: Clock },
  { hash, ...assertion }: Approval,
): Promise<Buffer | undefined> {
  const passkey = await verifyAssertion(tx, context, assertion, {
    expectedChallenge: hash,
    requireUserVerification: true,
  });
  return passkey?.public_key;
}

/**
 * Whose passkeys these are now, by credential; a removed one has no user. None of them is removed
 * until the end of the transaction.
 */
export async function findPasskeyUsers(
  tx: Transaction,
  credentialIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await tx.query<{ credential_id: string; user_id: number }>(
    `select credential_id, user_id from passkey where credential_id = any($1::text[])
     order by id for key share`,
    [credentialIds],
  );
  return new Map(rows.map(({ credential_id, user_id }) => [credential_id, user_id]));
}

/** The public half of a passkey, for the configuration of programs that verify approvals. */
export interface ApproverKey {
  readonly user_id: number;
  readonly name: string;
  readonly credential_id: string;
  /** COSE key, base64url. */
  readonly public_key: string;
}

/** The passkeys of one person as public keys. */
export async function listApproverKeys(db: Db, userId: number): Promise<ApproverKey[]> {
  const passkeys = await listPasskeys(db, userId);
  return passkeys.map(({ name, credential_id, public_key }) => ({
    user_id: userId,
    name,
    credential_id,
    public_key: public_key.toString('base64url'),
  }));
}
