/**
 * Signs the provider's cookies as Keygrip does, which the library uses by default. Keygrip takes
 * its key as bytes, which Node.js converts for each signature at ten times the cost of the HMAC.
 */
import { createHmac, createSecretKey } from 'node:crypto';
import { equalSecrets } from '../../lib/ids.ts';

/** What the library needs of a signer of cookies. */
export interface CookieSigner {
  sign(data: string): string;
  verify(data: string, signature: string): boolean;
  /** Number of the key that signed; -1: none. */
  index(data: string, signature: string): number;
}

/** @param secret of this purpose only */
export function createCookieSigner(secret: Buffer): CookieSigner {
  const key = createSecretKey(secret);
  // SHA-1 as an HMAC is secure, and cookies of earlier versions remain valid.
  const sign = (data: string): string => createHmac('sha1', key).update(data).digest('base64url');
  const verify = (data: string, signature: string): boolean => equalSecrets(sign(data), signature);
  return { sign, verify, index: (data, signature) => (verify(data, signature) ? 0 : -1) };
}
