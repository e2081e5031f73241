/** Random identifiers and secrets. */
import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/** Without 0, O, 1, I, L and U, which are misread. */
const READABLE = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A secret of 256 random bits, base64url (43 characters). */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** A random identifier of 128 bits, base64url (22 characters). */
export function newId(): string {
  return randomBytes(16).toString('base64url');
}

/** A random code that people read and type, of about 4.9 bits per character. */
export function newReadableCode(length: number): string {
  return Array.from({ length }, () => READABLE[randomInt(READABLE.length)]).join('');
}

/** SHA-256 of a secret, base64url: stored instead of the secret. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Compares two strings in constant time for equal lengths. */
export function equalSecrets(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Cheap unique identifiers: a random prefix per generator and a counter. */
export function createIdGenerator(): () => string {
  const prefix = newId().slice(0, 12);
  let count = 0;
  return () => `${prefix}-${(count++).toString(36)}`;
}
