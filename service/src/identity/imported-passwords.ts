/**
 * Passwords that come from another system. What is stored begins with `imported`; the first sign-in
 * replaces it by the default hash.
 */
import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { MasterKey } from '../master-key.ts';
import type { Argon2 } from './hashing/hash-worker-pool.ts';
import { isDefaultHash, isImportableHash } from './hashing/imported-hash.ts';

const PREFIX = 'imported';
/** An MD5 is what clients send, so it is stored as a keyed hash only. */
const MD5_PREFIX = `${PREFIX}$md5$`;
const MD5 = /^[0-9a-fA-F]{32}$/;
const KEYED_MD5 = /^[0-9a-f]{64}$/;
const PEPPER_ID_LENGTH = 16;

/**
 * What was hashed: the MD5 of the password, as clients send it; the password itself; or, in an
 * export of this service, the keyed hash of the MD5.
 */
export const PASSWORD_INPUTS = ['md5', 'plain', 'peppered_md5'] as const;
export type PasswordInput = (typeof PASSWORD_INPUTS)[number];

/** What becomes of a password: `reset` has nothing that a sign-in could verify. */
export interface ImportedPassword {
  readonly kind: 'md5' | 'hash' | 'reset';
  readonly stored: string | null;
}

const RESET: ImportedPassword = { kind: 'reset', stored: null };

export function createPepper(masterKey: MasterKey): KeyObject {
  return createSecretKey(masterKey.derive('password-pepper'));
}

/** HMAC-SHA256 of the MD5 in lower case, hexadecimal: what the default hash is computed over. */
export function keyMd5(pepper: KeyObject, md5: string): string {
  return createHmac('sha256', pepper).update(md5.toLowerCase()).digest('hex');
}

export function isImportedPassword(stored: string): boolean {
  return stored.startsWith(`${PREFIX}$`);
}

/** Whether a text has a form in which passwords are stored here. */
function isStoredForm(text: string): boolean {
  if (text.startsWith(MD5_PREFIX)) return KEYED_MD5.test(text.slice(MD5_PREFIX.length));
  return isImportedPassword(text)
    ? isImportableHash(text.slice(PREFIX.length))
    : isDefaultHash(text);
}

/** Whether a stored imported password is of this MD5. */
export async function verifyImportedPassword(
  argon2: Argon2,
  pepper: KeyObject,
  stored: string,
  md5: string,
): Promise<boolean> {
  if (!stored.startsWith(MD5_PREFIX))
    return argon2.verifyImported(stored.slice(PREFIX.length), md5.toLowerCase());
  const expected = Buffer.from(stored.slice(MD5_PREFIX.length), 'hex');
  const actual = Buffer.from(keyMd5(pepper, md5), 'hex');
  return expected.length === actual.length && timingSafeEqual(actual, expected);
}

export interface PasswordImport {
  /** Names the pepper without revealing it: exports carry it. */
  readonly pepperId: string;
  /**
   * Reads a password column. Undefined: the text has no supported form, or costs too much to
   * verify.
   */
  read(text: string, input: PasswordInput): ImportedPassword | undefined;
}

/** @param pepperId of the export that the passwords come from, if they come from one */
export function createPasswordImport(masterKey: MasterKey, from?: string): PasswordImport {
  const pepper = createPepper(masterKey);
  const pepperId = hash('sha256', keyMd5(pepper, 'pepper-id'), 'hex').slice(0, PEPPER_ID_LENGTH);
  return {
    pepperId,
    read(text, input) {
      if (text === '') return RESET;
      if (input === 'peppered_md5') {
        if (!isStoredForm(text)) return undefined;
        return from === pepperId ? { kind: 'hash', stored: text } : RESET;
      }
      if (MD5.test(text)) return { kind: 'md5', stored: `${MD5_PREFIX}${keyMd5(pepper, text)}` };
      if (!isImportableHash(text)) return input === 'plain' ? RESET : undefined;
      return input === 'plain' ? RESET : { kind: 'hash', stored: `${PREFIX}${text}` };
    },
  };
}
