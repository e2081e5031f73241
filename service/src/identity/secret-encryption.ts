/** Encryption at rest of second factors' secrets: AES-256-GCM, bound to what it belongs to, so that rows cannot be swapped. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { MasterKey } from '../master-key.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface Sealer {
  seal(plain: Buffer, owner: string): Buffer;
  /** @throws when the master key is another one, or the bytes were changed or belong to another owner */
  open(sealed: Buffer, owner: string): Buffer;
}

export function createSealer(masterKey: MasterKey): Sealer {
  const key = masterKey.derive('second-factor');
  return {
    seal(plain, owner) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(owner));
      const body = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]);
    },
    open(sealed, owner) {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES)).setAAD(
        Buffer.from(owner),
      );
      decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return Buffer.concat([
        decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)),
        decipher.final(),
      ]);
    },
  };
}
