/** Registration of a passkey: a challenge for the browser, then the response. */
import {
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type RegistrationResponseJSON,
  type VerifiedRegistrationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { defineStatement, execute, type Transaction, transaction } from '../../db/index.ts';
import { readDisplayText } from '../../lib/display-text.ts';
import { failure, fieldError } from '../../lib/failures.ts';
import {
  changeSecurity,
  type FullSession,
  lockReauthenticatedUser,
  requireFreshProof,
} from '../account/require-reauthentication.ts';
import type { IdentityContext } from '../context.ts';
import { consumeAttempt, consumeTicket, createTicket } from '../tickets.ts';
import type { User } from '../types.ts';
import { hasStrongFactor, readFactors } from './available-methods.ts';
import { type FactorAnswer, firstRecoveryCodes } from './enrol-authenticator.ts';
import { listPasskeys, PASSKEYS_MAX, relyingParty, userHandle } from './passkeys.ts';

const NAME_LIMITS = { min: 1, max: 64, bytes_max: 400 };

/**
 * Options of `navigator.credentials.create`. The challenge is a ticket of this session.
 * @throws `reauthentication_required`, `already_enrolled`
 */
export async function startPasskeyRegistration(
  context: IdentityContext,
  session: FullSession,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { database, config, masterKey, ticketRules, serviceName } = context;
  await requireFreshProof(database, context, session);
  return transaction(database, async (tx) => {
    const user = await lockReauthenticatedUser(tx, session.userId);
    const passkeys = await listPasskeys(tx, user.userId);
    if (passkeys.length >= PASSKEYS_MAX)
      throw failure('already_enrolled', {
        detail: `At most ${PASSKEYS_MAX} passkeys: remove one first.`,
      });
    const { userId, sid } = session;
    const challenge = await createTicket(tx, context, {
      kind: 'passkey',
      userId,
      sid,
      emailKey: user.email.toLowerCase(),
    });
    return generateRegistrationOptions({
      rpName: serviceName(),
      rpID: relyingParty(config).id,
      userName: user.email,
      userDisplayName: user.nickname,
      userID: userHandle(masterKey, user.userId),
      challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
      timeout: ticketRules.passkey.lifetime_s * 1000,
      attestationType: 'none',
      excludeCredentials: passkeys.map(({ credential_id, transports }) => ({
        id: credential_id,
        transports,
      })),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    });
  });
}

export interface PasskeyRegistration {
  readonly name: string;
  readonly passkey_credential: RegistrationResponseJSON;
  readonly end_other_sessions?: boolean;
}

async function verifyResponse(
  tx: Transaction,
  { clock, config }: IdentityContext,
  { user, sid }: { readonly user: User; readonly sid: string },
  response: RegistrationResponseJSON,
): Promise<VerifiedRegistrationResponse> {
  const { id, origins } = relyingParty(config);
  const emailKey = user.email.toLowerCase();
  try {
    return await verifyRegistrationResponse({
      response,
      expectedChallenge: async (challenge) => {
        const presented = { ticket: challenge, purpose: 'passkey', emailKey, sid } as const;
        await consumeTicket(tx, clock, await consumeAttempt(tx, clock, presented));
        return true;
      },
      expectedOrigin: origins,
      expectedRPID: id,
      requireUserVerification: false,
    });
  } catch {
    // The library throws on a malformed or forged response.
    return { verified: false };
  }
}

const INSERT_PASSKEY = defineStatement(
  'identity-insert-passkey',
  `insert into passkey
     (user_id, credential_id, public_key, counter, transports, is_synced, name, created_at)
   values (:user_id, :credential_id, :public_key, :counter, :transports, :is_synced, :name, :now)
   on conflict do nothing`,
);

/**
 * Adds the passkey.
 * @throws `reauthentication_required`, `invalid_parameter`, `already_enrolled`
 */
export async function addPasskey(
  context: IdentityContext,
  session: FullSession,
  input: PasskeyRegistration,
): Promise<FactorAnswer> {
  const name = readDisplayText(input.name, 'name', NAME_LIMITS);
  return changeSecurity(context, session, async (tx, user) => {
    const before = await readFactors(tx, user.userId);
    const owner = { user, sid: session.sid };
    const verified = await verifyResponse(tx, context, owner, input.passkey_credential);
    if (!verified.verified)
      throw fieldError(
        'passkey_credential',
        'not_verified',
        'does not answer a challenge of this session',
      );
    const { credential, credentialDeviceType } = verified.registrationInfo;
    const { rowCount } = await execute(tx, INSERT_PASSKEY, {
      user_id: user.userId,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: (credential.transports ?? []).filter((item) => /^[a-z-]{1,20}$/.test(item)),
      is_synced: credentialDeviceType === 'multiDevice',
      name,
      now: context.clock.now(),
    });
    if (rowCount === 0) throw failure('already_enrolled');
    return {
      result: await firstRecoveryCodes(tx, context, user, hasStrongFactor(before)),
      change: {
        type: 'passkey_added',
        notice: { kind: 'passkeyAdded', values: { name } },
        details: { name },
        endsOtherSessions: input.end_other_sessions ?? false,
      },
    };
  });
}
