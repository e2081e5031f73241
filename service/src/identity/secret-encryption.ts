/** Encryption of secrets: AES-256-GCM, bound to the owner so that rows cannot be swapped. */
import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto';
import type { MasterKey } from '../master-key.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface SecretCipher {
  encrypt(plain: Buffer, owner: string): Buffer;
  /** @throws for another master key, another owner or changed bytes */
  decrypt(bytes: Buffer, owner: string): Buffer;
}

/** The cipher of TOTP secrets. */
export function createSecretCipher(masterKey: MasterKey): SecretCipher {
  return createCipher(masterKey.derive('second-factor'));
}

/** @param secret 32 bytes */
export function createCipher(secret: Buffer): SecretCipher {
  // Node needs five times as long for a key that is a Buffer.
  const key = createSecretKey(secret);
  return {
    encrypt(plain, owner) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(owner));
      const body = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]);
    },
    decrypt(bytes, owner) {
      const bodyStart = IV_BYTES + TAG_BYTES;
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
        .setAAD(Buffer.from(owner))
        .setAuthTag(bytes.subarray(IV_BYTES, bodyStart));
      return Buffer.concat([decipher.update(bytes.subarray(bodyStart)), decipher.final()]);
    },
  };
}
