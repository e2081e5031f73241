/**
 * Values that a browser carries instead of being stored: it can neither read nor change them.
 * AES-256-GCM with one key per value (HMAC of 24 random bytes), so that nonces never repeat.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

const SALT_BYTES = 24;
const TAG_BYTES = 16;
/** Each key encrypts one value. */
const NONCE = Buffer.alloc(12);
const ALGORITHM = 'aes-256-gcm';

export interface TokenCipher<T> {
  /** @returns base64url, so that a URL can carry it */
  encrypt(value: T): string;
  /** @returns undefined for a text that was not encrypted with the same secret */
  decrypt(token: string): T | undefined;
}

/** @param secret of one purpose only */
export function createTokenCipher<T>(secret: Buffer): TokenCipher<T> {
  const key = createSecretKey(secret);
  // A raw Buffer as key takes twice as long.
  const keyFor = (salt: Buffer): KeyObject =>
    createSecretKey(createHmac('sha256', key).update(salt).digest());
  return {
    encrypt(value) {
      const salt = randomBytes(SALT_BYTES);
      const cipher = createCipheriv(ALGORITHM, keyFor(salt), NONCE);
      const body = Buffer.concat([
        salt,
        cipher.update(JSON.stringify(value), 'utf8'),
        cipher.final(),
      ]);
      return Buffer.concat([body, cipher.getAuthTag()]).toString('base64url');
    },
    decrypt(token) {
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length < SALT_BYTES + TAG_BYTES) return undefined;
      const end = bytes.length - TAG_BYTES;
      const decipher = createDecipheriv(ALGORITHM, keyFor(bytes.subarray(0, SALT_BYTES)), NONCE);
      decipher.setAuthTag(bytes.subarray(end));
      const text = decipher.update(bytes.subarray(SALT_BYTES, end));
      try {
        decipher.final();
      } catch {
        return undefined;
      }
      return JSON.parse(text.toString()) as T;
    },
  };
}
