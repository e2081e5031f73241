/** Random identifiers and secrets. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A secret of 256 random bits, base64url (43 characters). */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** A random identifier of 128 bits, base64url (22 characters). */
export function newId(): string {
  return randomBytes(16).toString('base64url');
}

/** SHA-256 of a secret, base64url: what is stored in place of the secret itself. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Compares two strings in constant time for equal lengths. */
export function equalSecrets(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Makes names that are unique without new randomness each time: a random prefix of the process and a counter. */
export function createNamer(): () => string {
  const prefix = newId().slice(0, 12);
  let count = 0;
  return () => `${prefix}-${(count++).toString(36)}`;
}
