/** Signing keys as they are made and stored: RSA, the private part encrypted at rest. */
import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint } from 'jose';
import type { MasterKey } from '../../master-key.ts';

export const MODULUS_BITS = 2048;
const PURPOSE = 'signing-keys';
const IV_BYTES = 12;
const TAG_BYTES = 16;

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
  readonly sealedPrivateKey: string;
}

/** AES-256-GCM; the kid is authenticated with it, so that rows cannot be swapped. */
function seal(masterKey: MasterKey, kid: string, plain: Buffer): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', masterKey.derive(PURPOSE), iv).setAAD(
    Buffer.from(kid),
  );
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
}

/** Opens a stored private key. @throws when the master key is another one, or the row was changed */
export function openSealedKey(masterKey: MasterKey, kid: string, sealed: string): KeyObject {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv(
    'aes-256-gcm',
    masterKey.derive(PURPOSE),
    bytes.subarray(0, IV_BYTES),
  ).setAAD(Buffer.from(kid));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    const plain = Buffer.concat([
      decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)),
      decipher.final(),
    ]);
    return createPrivateKey({ key: plain, format: 'der', type: 'pkcs8' });
  } catch (cause) {
    throw new Error(
      'the signing keys cannot be decrypted: MASTER_KEY is not the one that encrypted them',
      { cause },
    );
  }
}

/** Makes a key pair off the event loop. */
export async function makeKey(masterKey: MasterKey): Promise<NewKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS });
  const { n = '', e = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  const kid = await calculateJwkThumbprint({ kty: 'RSA', n, e });
  return {
    publicJwk: { kty: 'RSA', n, e, kid, use: 'sig', alg: 'RS256' },
    sealedPrivateKey: seal(masterKey, kid, privateKey.export({ format: 'der', type: 'pkcs8' })),
  };
}
