/**
 * Values that travel through a browser instead of being stored: nobody else reads them, makes them or changes them.
 * AES-256-GCM under a key of its own for each value (HMAC of 24 random bytes), so that random nonces never run out.
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

export interface TextSealer<T> {
  /** Letters that an address can carry: `A-Z a-z 0-9 _ -`. */
  seal(value: T): string;
  /** What was sealed with the same secret; undefined for anything else. */
  open(sealed: string): T | undefined;
}

/** Makes the sealer of one purpose; `secret` is for it alone. */
export function createTextSealer<T>(secret: Buffer): TextSealer<T> {
  const key = createSecretKey(secret);
  // Bytes would do as keys too, but take twice as long.
  const keyFor = (salt: Buffer): KeyObject =>
    createSecretKey(createHmac('sha256', key).update(salt).digest());
  return {
    seal(value) {
      const salt = randomBytes(SALT_BYTES);
      const cipher = createCipheriv(ALGORITHM, keyFor(salt), NONCE);
      const body = Buffer.concat([
        salt,
        cipher.update(JSON.stringify(value), 'utf8'),
        cipher.final(),
      ]);
      return Buffer.concat([body, cipher.getAuthTag()]).toString('base64url');
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
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
