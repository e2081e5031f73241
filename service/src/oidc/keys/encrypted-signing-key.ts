/** Signing keys as they are generated and stored: the private part is encrypted at rest. */
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { CompactEncrypt, calculateJwkThumbprint, compactDecrypt } from 'jose';
import type { MasterKey } from '../../master-key.ts';

export const MODULUS_BITS = 2048;
const PURPOSE = 'signing-keys';

/** What tokens are signed with; RS256 signs everything that no client chooses otherwise. */
export const SIGNING_ALGORITHMS = ['RS256', 'ES256', 'EdDSA'] as const;
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number];

/** Public part, as the JWK set publishes it. */
export interface PublicJwk {
  readonly kty: 'RSA' | 'EC' | 'OKP';
  readonly n?: string;
  readonly e?: string;
  readonly crv?: string;
  readonly x?: string;
  readonly y?: string;
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: SigningAlgorithm;
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

function generatePair(alg: SigningAlgorithm): Promise<{ privateKey: KeyObject }> {
  if (alg === 'RS256') return promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS });
  if (alg === 'ES256') return promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  return promisify(generateKeyPair)('ed25519');
}

/** Generates a key pair in the thread pool. */
export async function generateSigningKey(
  masterKey: MasterKey,
  alg: SigningAlgorithm = 'RS256',
): Promise<NewKey> {
  const { privateKey } = await generatePair(alg);
  const members = createPublicKey(privateKey).export({ format: 'jwk' }) as Pick<
    PublicJwk,
    'kty' | 'n' | 'e' | 'crv' | 'x' | 'y'
  >;
  const kid = await calculateJwkThumbprint({ ...members });
  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  // The header is authenticated: rows cannot be swapped.
  const encryptedPrivateKey = await new CompactEncrypt(der)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid })
    .encrypt(masterKey.derive(PURPOSE));
  return { publicJwk: { ...members, kid, use: 'sig', alg }, encryptedPrivateKey };
}
