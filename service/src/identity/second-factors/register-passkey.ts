/** Registration of a passkey: a challenge for the browser, then what the authenticator made of it. */
import {
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type RegistrationResponseJSON,
  type VerifiedRegistrationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { type Transaction, transaction } from '../../db/index.ts';
import { readDisplayText } from '../../lib/display-text.ts';
import { failure, fieldError } from '../../lib/failures.ts';
import {
  finishSecurityChange,
  lockReauthenticatedUser,
  type Manager,
  requireFreshProof,
} from '../account/require-reauthentication.ts';
import type { IdentityContext } from '../context.ts';
import { consumeAttempt, consumeTicket, createTicket } from '../tickets.ts';
import type { User } from '../types.ts';
import { hasStrongFactor, readFactors } from './available-methods.ts';
import { type FactorAnswer, firstRecoveryCodes } from './enrol-authenticator.ts';
import { listPasskeys, PASSKEYS_MAX, relyingParty, userHandle } from './passkeys.ts';

const CHALLENGE_TTL_S = 300;
const NAME_LIMITS = { min: 1, max: 64, bytes_max: 400 };

/** What `navigator.credentials.create` needs. The challenge is a ticket of this session. @throws `reauthentication_required` */
export async function startPasskeyRegistration(
  kit: IdentityContext,
  manager: Manager,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { database, clock, config, masterKey } = kit;
  await requireFreshProof(database, kit, manager);
  return transaction(database, async (tx) => {
    const user = await lockReauthenticatedUser(tx, manager.userId);
    const passkeys = await listPasskeys(tx, user.userId);
    if (passkeys.length >= PASSKEYS_MAX)
      throw failure('already_enrolled', {
        detail: `At most ${PASSKEYS_MAX} passkeys: remove one first.`,
      });
    const { userId, sid } = manager;
    const challenge = await createTicket(tx, clock, {
      purpose: 'passkey',
      userId,
      sid,
      emailKey: user.email.toLowerCase(),
      ttl_s: CHALLENGE_TTL_S,
    });
    return generateRegistrationOptions({
      rpName: 'Edge Account',
      rpID: relyingParty(config).id,
      userName: user.email,
      userDisplayName: user.nickname,
      userID: userHandle(masterKey, user.userId),
      challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
      timeout: CHALLENGE_TTL_S * 1000,
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
  kit: IdentityContext,
  user: User,
  sid: string,
  response: RegistrationResponseJSON,
): Promise<VerifiedRegistrationResponse> {
  const { id, origins } = relyingParty(kit.config);
  try {
    return await verifyRegistrationResponse({
      response,
      expectedChallenge: async (challenge) => {
        const ticket = await consumeAttempt(tx, kit.clock, {
          ticket: challenge,
          purpose: 'passkey',
          emailKey: user.email.toLowerCase(),
          sid,
        });
        await consumeTicket(tx, kit.clock, ticket);
        return true;
      },
      expectedOrigin: origins,
      expectedRPID: id,
      requireUserVerification: false,
    });
  } catch {
    // The library throws on whatever a response gets wrong.
    return { verified: false };
  }
}

async function store(
  tx: Transaction,
  kit: IdentityContext,
  user: User,
  name: string,
  info: NonNullable<VerifiedRegistrationResponse['registrationInfo']>,
): Promise<void> {
  const { credential, credentialDeviceType } = info;
  const { rowCount } = await tx.query(
    `insert into passkey (user_id, credential_id, public_key, counter, transports, is_synced, name, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
    [
      user.userId,
      credential.id,
      Buffer.from(credential.publicKey),
      credential.counter,
      (credential.transports ?? []).filter((transport) => /^[a-z-]{1,20}$/.test(transport)),
      credentialDeviceType === 'multiDevice',
      name,
      kit.clock.now(),
    ],
  );
  if (rowCount === 0) throw failure('already_enrolled');
}

/** Adds the passkey. @throws `reauthentication_required`, `invalid_parameter`, `already_enrolled` */
export async function addPasskey(
  kit: IdentityContext,
  manager: Manager,
  input: PasskeyRegistration,
): Promise<FactorAnswer> {
  const name = readDisplayText(input.name, 'name', NAME_LIMITS);
  await requireFreshProof(kit.database, kit, manager);
  return transaction(kit.database, async (tx) => {
    const user = await lockReauthenticatedUser(tx, manager.userId);
    const before = await readFactors(tx, user.userId);
    const result = await verifyResponse(tx, kit, user, manager.sid, input.passkey_credential);
    if (!result.verified)
      throw fieldError(
        'passkey_credential',
        'not_verified',
        'does not answer a challenge of this session',
      );
    await store(tx, kit, user, name, result.registrationInfo);
    await finishSecurityChange(tx, kit, user, manager, {
      type: 'passkey_added',
      notice: { kind: 'passkeyAdded', values: { name } },
      details: { name },
      endsOtherSessions: input.end_other_sessions ?? false,
    });
    return firstRecoveryCodes(tx, kit, user, hasStrongFactor(before));
  });
}
