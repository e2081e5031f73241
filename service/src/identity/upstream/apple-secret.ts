/** Apple's clients authenticate by a secret that they sign: a JWT in `client_secret`. */
import { importPKCS8, SignJWT } from 'jose';
import type { Clock } from '../../lib/clock.ts';
import type { AppleKey } from './provider-store.ts';

/** Longer than the metadata of a provider are kept, and far below Apple's limit of six months. */
const LIFETIME_S = 2 * 3600;

/** @throws when the key is none of ES256 */
export async function signAppleSecret(
  clock: Clock,
  { issuer, clientId }: { readonly issuer: string; readonly clientId: string },
  { team_id, key_id, private_key }: AppleKey,
): Promise<string> {
  const now_s = Math.floor(clock.now().getTime() / 1000);
  return new SignJWT({})
    .setProtectedHeader({ alg: 'ES256', kid: key_id })
    .setIssuer(team_id)
    .setSubject(clientId)
    .setAudience(issuer)
    .setIssuedAt(now_s)
    .setExpirationTime(now_s + LIFETIME_S)
    .sign(await importPKCS8(private_key, 'ES256'));
}
