/**
 * Sign-in by a passkey alone (WebAuthn, discoverable credentials). The authenticator verifies its
 * user by a PIN, a fingerprint or a face, so the passkey is both factors (NIST SP 800-63B 5.1.9).
 */
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { defineStatement, execute, type Transaction, transaction } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import { equalSecrets } from '../../lib/ids.ts';
import { toSubnet } from '../../lib/rate-limit-subnet.ts';
import type { IdentityContext } from '../context.ts';
import type { RateLimitKey } from '../limits.ts';
import { type Credentials, lockUserForShare } from '../queries.ts';
import {
  PASSKEY_TIMEOUT_MS,
  relyingParty,
  userHandle,
  verifyAssertion,
} from '../second-factors/passkeys.ts';
import { logSecurityEvent } from '../security-log.ts';
import { spendNonce } from '../spend-nonce.ts';
import type { RequestOrigin } from '../types.ts';
import { openToken, startedBy } from '../upstream/upstream-request.ts';
import { openSession, type UserDetails } from './open-session.ts';
import { PASSKEY_CHALLENGE_LIFETIME_S, type PasskeyChallenge } from './passkey-challenge.ts';

export interface StartedPasskeySignIn {
  readonly challenge: string;
  readonly options: PublicKeyCredentialRequestOptionsJSON;
}

/** Options of `navigator.credentials.get` for whichever passkey the browser has. */
export async function startPasskeySignIn(
  { clock, config, passkeyCipher }: IdentityContext,
  browser: string | undefined,
): Promise<StartedPasskeySignIn> {
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(config).id,
    timeout: PASSKEY_TIMEOUT_MS,
    userVerification: 'required',
  });
  const started = startedBy(clock, PASSKEY_CHALLENGE_LIFETIME_S, browser);
  return {
    challenge: passkeyCipher.encrypt({ ...started, challenge: options.challenge }),
    options,
  };
}

const FIND_OWNER = defineStatement(
  'identity-find-passkey-owner',
  'select user_id from passkey where credential_id = :credential_id',
);

/** @throws `passkey_unknown` */
async function findOwner(
  tx: Transaction,
  { masterKey }: IdentityContext,
  { id, response }: AuthenticationResponseJSON,
): Promise<Credentials> {
  const { rows } = await execute<{ user_id: number }>(tx, FIND_OWNER, { credential_id: id });
  const userId = rows[0]?.user_id;
  const user = userId === undefined ? undefined : await lockUserForShare(tx, userId);
  // WebAuthn 7.2, step 6: a passkey that was found by itself names the account that it is for.
  const named = response.userHandle ?? '';
  const isNamed =
    user !== undefined &&
    equalSecrets(named, Buffer.from(userHandle(masterKey, user.userId)).toString('base64url'));
  if (!isNamed) throw failure('passkey_unknown');
  return user;
}

interface Attempt {
  readonly opened: PasskeyChallenge;
  readonly response: AuthenticationResponseJSON;
  readonly origin: RequestOrigin;
}

/** @returns undefined for a wrong assertion, which is logged */
async function attemptSignIn(
  tx: Transaction,
  context: IdentityContext,
  { opened, response, origin }: Attempt,
): Promise<UserDetails | undefined> {
  const user = await findOwner(tx, context, response);
  const { userId } = user;
  const passkey = await verifyAssertion(
    tx,
    context,
    { userId, response },
    { expectedChallenge: opened.challenge, requireUserVerification: true },
  );
  if (!passkey) {
    const details = { method: 'PASSKEY' };
    const type = 'second_factor_failed';
    await logSecurityEvent(tx, context.clock, { userId, type, origin, details });
    return undefined;
  }
  if (user.status !== 'active') throw failure('account_disabled');
  await spendNonce(tx, `passkey:${opened.challenge}`, opened.exp_ms);
  const amr = [passkey.is_synced ? 'swk' : 'hwk', 'user', 'mfa'];
  return openSession(tx, context, { user, amr }, origin);
}

export interface SignedPasskeyChallenge {
  readonly challenge: string;
  readonly passkey_credential: AuthenticationResponseJSON;
}

/**
 * Opens a session: of parallel requests with one challenge exactly one gets tokens.
 * @throws `invalid_ticket`, `passkey_unknown`, `passkey_invalid`, `account_disabled`,
 *   `rate_limited`
 */
export async function finishPasskeySignIn(
  context: IdentityContext,
  { challenge, passkey_credential: response }: SignedPasskeyChallenge,
  origin: RequestOrigin,
  browser: string | undefined,
): Promise<UserDetails> {
  const { background, challenges, clock, database, limits, passkeyCipher: cipher } = context;
  const limitKey: RateLimitKey = ['factor-ip', toSubnet(origin.ip)];
  await limits.consume(limitKey);
  const opened = openToken({ cipher, clock }, challenge, browser);
  const attempt = { opened, response, origin };
  const signedIn = await transaction(database, (tx) => attemptSignIn(tx, context, attempt));
  if (signedIn === undefined) throw failure('passkey_invalid');
  await limits.refund([limitKey]);
  background.run(() => challenges.remember(origin.ip));
  return signedIn;
}
