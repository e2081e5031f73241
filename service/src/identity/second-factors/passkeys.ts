/** Passkeys (WebAuthn) of users. */
import { createHmac } from 'node:crypto';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server';
import type { Config } from '../../config.ts';
import { type Db, queryNamed, type Transaction } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { MasterKey } from '../../master-key.ts';
import type { IdentityContext } from '../context.ts';
import { takeChallenge } from '../ticket-proofs.ts';
import type { Ticket } from '../tickets.ts';

export const PASSKEYS_MAX = 20;
export const PASSKEY_TIMEOUT_MS = 120_000;

export interface RelyingParty {
  readonly id: string;
  readonly origins: string[];
}

/** The relying party: the service's host, with its own origin and that of the sign-in page. */
export function relyingParty(config: Config): RelyingParty {
  const base = new URL(config.BASE_URL);
  return {
    id: base.hostname,
    origins: [...new Set([base.origin, new URL(config.AUTHORIZATION_PAGE_URL).origin])],
  };
}

/** The user's identifier on authenticators: an opaque value, the same for all passkeys. */
export function userHandle(masterKey: MasterKey, userId: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(
    createHmac('sha256', masterKey.derive('passkey-user')).update(String(userId)).digest(),
  );
}

export interface StoredPasskey {
  readonly id: number;
  readonly credential_id: string;
  readonly public_key: Buffer;
  readonly counter: number;
  readonly transports: string[];
  readonly is_synced: boolean;
  readonly name: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

export async function listPasskeys(db: Db, userId: number): Promise<StoredPasskey[]> {
  const { rows } = await db.query<StoredPasskey>(
    `select id, credential_id, public_key, counter, transports, is_synced, name, created_at,
       last_used_at
     from passkey where user_id = $1 order by id`,
    [userId],
  );
  return rows;
}

/** Options of `navigator.credentials.get` for the user's passkeys. */
export async function passkeyRequest(
  db: Db,
  { config }: IdentityContext,
  userId: number,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const passkeys = await listPasskeys(db, userId);
  return generateAuthenticationOptions({
    rpID: relyingParty(config).id,
    allowCredentials: passkeys.map(({ credential_id, transports }) => ({
      id: credential_id,
      transports,
    })),
    timeout: PASSKEY_TIMEOUT_MS,
    userVerification: 'preferred',
  });
}

interface Assertion {
  readonly userId: number;
  readonly response: AuthenticationResponseJSON;
}

type Expected = Pick<
  Parameters<typeof verifyAuthenticationResponse>[0],
  'expectedChallenge' | 'requireUserVerification'
>;

/**
 * Verifies an assertion by a passkey of this person, and stores its counter.
 * @returns the passkey; undefined for a wrong assertion
 */
export async function verifyAssertion(
  tx: Transaction,
  { config, clock }: { readonly config: Config; readonly clock: Clock },
  { userId, response }: Assertion,
  expected: Expected,
): Promise<StoredPasskey | undefined> {
  const passkeys = await listPasskeys(tx, userId);
  const passkey = passkeys.find(({ credential_id }) => credential_id === response.id);
  if (!passkey) return undefined;
  const { id, origins } = relyingParty(config);
  const verified = await verifyAuthenticationResponse({
    ...expected,
    response,
    expectedOrigin: origins,
    expectedRPID: id,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: passkey.counter,
    },
    // The library throws on a malformed or forged response.
  }).catch(() => undefined);
  if (!verified?.verified) return undefined;
  await queryNamed(
    tx,
    'update passkey set counter = :new_counter, last_used_at = :now where id = :passkey_id',
    {
      passkey_id: passkey.id,
      new_counter: verified.authenticationInfo.newCounter,
      now: clock.now(),
    },
  );
  return passkey;
}

/**
 * Verifies an assertion against the ticket's challenge and uses the challenge up.
 * @returns the kind of key (RFC 8176); undefined for a wrong assertion
 */
export async function usePasskey(
  tx: Transaction,
  context: IdentityContext,
  { ticket, ...assertion }: Assertion & { readonly ticket: Ticket },
): Promise<'hwk' | 'swk' | undefined> {
  const passkey = await verifyAssertion(tx, context, assertion, {
    expectedChallenge: (challenge) => takeChallenge(tx, ticket, challenge),
    requireUserVerification: false,
  });
  return passkey && (passkey.is_synced ? 'swk' : 'hwk');
}
