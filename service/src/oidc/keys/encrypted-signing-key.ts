/** Signing keys as they are generated and stored: RSA, the private part encrypted at rest. */
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { CompactEncrypt, calculateJwkThumbprint, compactDecrypt } from 'jose';
import type { MasterKey } from '../../master-key.ts';

export const MODULUS_BITS = 2048;
const PURPOSE = 'signing-keys';

/** Public part, as the JWK set publishes it. */
export interface PublicJwk {
  readonly kty: 'RSA';
  readonly n: string;
  readonly e: string;
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'RS256';
}

export interface NewKey {
  readonly publicJwk: PublicJwk;
  readonly encryptedPrivateKey: string;
}

/**
 * Decrypts a stored private key.
 * @throws when the master key is another one, or the row was changed
 */
export async function decryptPrivateKey(
  masterKey: MasterKey,
  kid: string,
  encrypted: string,
): Promise<KeyObject> {
  const { plaintext, protectedHeader } = await compactDecrypt(
    encrypted,
    masterKey.derive(PURPOSE),
  ).catch((cause: unknown) => {
    throw new Error(
      'the signing keys cannot be decrypted: MASTER_KEY is not the one that encrypted them',
      { cause },
    );
  });
  if (protectedHeader.kid !== kid) throw new Error('a signing key is stored under another kid');
  return createPrivateKey({ key: Buffer.from(plaintext), format: 'der', type: 'pkcs8' });
}

/** Generates a key pair in the thread pool. */
export async function generateSigningKey(masterKey: MasterKey): Promise<NewKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS });
  const { n = '', e = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  const kid = await calculateJwkThumbprint({ kty: 'RSA', n, e });
  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  // The header is authenticated: rows cannot be swapped.
  const encryptedPrivateKey = await new CompactEncrypt(der)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid })
    .encrypt(masterKey.derive(PURPOSE));
  return { publicJwk: { kty: 'RSA', n, e, kid, use: 'sig', alg: 'RS256' }, encryptedPrivateKey };
}
