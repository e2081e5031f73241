/**
 * Hashes that another system made of the MD5 of a password: their forms, the bounds of their cost,
 * and their verification. Runs in the threads that hash.
 */
import { pbkdf2Sync, scryptSync, timingSafeEqual } from 'node:crypto';
import { verifySync } from '@node-rs/argon2';
import { bcryptVerify } from 'hash-wasm';

/** More memory or work than this for one sign-in would be a way to exhaust the service. */
const MEMORY_MAX_BYTES = 256 * 1024 * 1024;
const ARGON2_PASSES_MAX = 20;
const BCRYPT_COST = { min: 4, max: 15 };
const SCRYPT = { log2_max: 20, r_max: 32, p_max: 16 };
const PBKDF2_ROUNDS = { min: 1, max: 5_000_000 };
const ARGON2_LANES_MAX = 16;

const ARGON2 =
  /^\$argon2(?:id|i|d)\$v=19\$m=(\d{1,8}),t=(\d{1,4}),p=(\d{1,3})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{16,86}$/;
const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
const SCRYPT_FORM =
  /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]{4,86})\$([A-Za-z0-9+/]{22,172})$/;
const PBKDF2 =
  /^\$pbkdf2-(sha256|sha512)\$(\d{1,8})\$([A-Za-z0-9./+]{4,86})\$([A-Za-z0-9./+]{22,86})$/;

const isWithin = (value: number, min: number, max: number): boolean => value >= min && value <= max;

function isArgon2(text: string): boolean {
  const [, memory, passes, lanes] = (ARGON2.exec(text) ?? []).map(Number);
  return (
    memory !== undefined &&
    isWithin(memory * 1024, 1, MEMORY_MAX_BYTES) &&
    isWithin(passes ?? 0, 1, ARGON2_PASSES_MAX) &&
    isWithin(lanes ?? 0, 1, ARGON2_LANES_MAX)
  );
}

function isScrypt(text: string): boolean {
  const [, log2 = 0, r = 0, p = 0] = (SCRYPT_FORM.exec(text) ?? []).map(Number);
  return (
    isWithin(log2, 1, SCRYPT.log2_max) &&
    isWithin(r, 1, SCRYPT.r_max) &&
    isWithin(p, 1, SCRYPT.p_max) &&
    128 * r * 2 ** log2 <= MEMORY_MAX_BYTES
  );
}

/** True for a hash of a supported form whose verification is not too expensive. */
export function isImportableHash(text: string): boolean {
  const cost = BCRYPT.exec(text)?.[1];
  if (cost !== undefined) return isWithin(Number(cost), BCRYPT_COST.min, BCRYPT_COST.max);
  const rounds = PBKDF2.exec(text)?.[2];
  if (rounds !== undefined) return isWithin(Number(rounds), PBKDF2_ROUNDS.min, PBKDF2_ROUNDS.max);
  return isArgon2(text) || isScrypt(text);
}

/** Base64 without padding, with `.` for `+` as passlib writes it. */
const fromBase64 = (text: string): Buffer => Buffer.from(text.replaceAll('.', '+'), 'base64');

function verifyScrypt(stored: string, md5: string): boolean {
  const [, log2, r, p, salt = '', hash = ''] = SCRYPT_FORM.exec(stored) ?? [];
  const expected = fromBase64(hash);
  const options = { N: 2 ** Number(log2), r: Number(r), p: Number(p) };
  // Node needs a little more than the table that the parameters name.
  const maxmem = 2 * MEMORY_MAX_BYTES;
  const actual = scryptSync(md5, fromBase64(salt), expected.length, { ...options, maxmem });
  return timingSafeEqual(actual, expected);
}

function verifyPbkdf2(stored: string, md5: string): boolean {
  const [, digest = '', rounds, salt = '', hash = ''] = PBKDF2.exec(stored) ?? [];
  const expected = fromBase64(hash);
  const actual = pbkdf2Sync(md5, fromBase64(salt), Number(rounds), expected.length, digest);
  return timingSafeEqual(actual, expected);
}

/** Whether a hash of a supported form is of this MD5, in lower-case hexadecimal digits. */
export async function verifyImportedHash(stored: string, md5: string): Promise<boolean> {
  if (stored.startsWith('$argon2')) return verifySync(stored, md5);
  if (stored.startsWith('$2')) return bcryptVerify({ password: md5, hash: stored });
  return stored.startsWith('$scrypt$') ? verifyScrypt(stored, md5) : verifyPbkdf2(stored, md5);
}
