/** Signs the provider's cookies: one HMAC to check one, where its own signer takes three and fresh random bytes. */
import { createHmac, createSecretKey } from 'node:crypto';
import { equalSecrets } from '../../lib/ids.ts';

/** What the cookie library asks of a signer. */
export interface CookieSigner {
  sign(data: string): string;
  /** Which key signed; -1: none. */
  index(data: string, signature: string): number;
  verify(data: string, signature: string): boolean;
}

export function createCookieSigner(secret: Buffer): CookieSigner {
  const key = createSecretKey(secret);
  const sign = (data: string): string => createHmac('sha256', key).update(data).digest('base64url');
  const verify = (data: string, signature: string): boolean => equalSecrets(sign(data), signature);
  return { sign, verify, index: (data, signature) => (verify(data, signature) ? 0 : -1) };
}
