/**
 * The contract sends a password as the MD5 of its text; the service then hashes that with argon2id.
 */
import { md5 } from '@noble/hashes/legacy.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

export const PASSWORD_LENGTH_MIN = 8;

/**
 * The password as the service takes it. The same text typed on two keyboards gives the same bytes.
 */
export function hashPassword(password: string): string {
  return bytesToHex(md5(utf8ToBytes(password.normalize('NFC'))));
}
