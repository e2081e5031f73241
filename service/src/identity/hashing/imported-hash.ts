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

/** Kilobytes for each lane, at least (RFC 9106, 3.1). */
const ARGON2_LANE_MIN = 8;

const ARGON2 =
  /^\$argon2(?:id|i|d)\$v=19\$m=(\d{1,8}),t=(\d{1,4}),p=(\d{1,3})\$[A-Za-z0-9+/]{11,64}\$[A-Za-z0-9+/]{16,86}$/;
const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
const SCRYPT_FORM =
  /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]{4,86})\$([A-Za-z0-9+/]{22,172})$/;
const PBKDF2 =
  /^\$pbkdf2-(sha256|sha512)\$(\d{1,8})\$([A-Za-z0-9./+]{4,86})\$([A-Za-z0-9./+]{22,86})$/;

const isWithin = (value: number, min: number, max: number): boolean => value >= min && value <= max;

/** Base64 without padding, with `.` for `+` as passlib writes it. */
const fromBase64 = (text: string): Buffer => Buffer.from(text.replaceAll('.', '+'), 'base64');

/** As an encoder writes it: verification refuses a digit, or bits, that belong to no byte. */
function isBase64(text = ''): boolean {
  const canonical = fromBase64(text).toString('base64').replaceAll('=', '');
  return canonical === text.replaceAll('.', '+');
}

function isArgon2(text: string, memoryMax_bytes = MEMORY_MAX_BYTES): boolean {
  const [, memory = 0, passes = 0, lanes = 0] = (ARGON2.exec(text) ?? []).map(Number);
  return (
    isWithin(memory, ARGON2_LANE_MIN * lanes, memoryMax_bytes / 1024) &&
    isWithin(passes, 1, ARGON2_PASSES_MAX) &&
    isWithin(lanes, 1, ARGON2_LANES_MAX)
  );
}

function isScrypt(text: string): boolean {
  const [, log2 = 0, r = 0, p = 0] = (SCRYPT_FORM.exec(text) ?? []).map(Number);
  return (
    // Below 16 r (RFC 7914, 2).
    isWithin(log2, 1, Math.min(SCRYPT.log2_max, 16 * r - 1)) &&
    isWithin(r, 1, SCRYPT.r_max) &&
    isWithin(p, 1, SCRYPT.p_max) &&
    128 * r * 2 ** log2 <= MEMORY_MAX_BYTES
  );
}

/** Salt and hash; bcrypt has an alphabet of its own. */
function hasBase64(text: string): boolean {
  return text.split('$').slice(-2).every(isBase64);
}

/** True for a hash of a supported form whose verification is not too expensive. */
export function isImportableHash(text: string): boolean {
  const cost = BCRYPT.exec(text)?.[1];
  if (cost !== undefined) return isWithin(Number(cost), BCRYPT_COST.min, BCRYPT_COST.max);
  const rounds = PBKDF2.exec(text)?.[2];
  const isBounded =
    rounds === undefined
      ? isArgon2(text) || isScrypt(text)
      : isWithin(Number(rounds), PBKDF2_ROUNDS.min, PBKDF2_ROUNDS.max);
  return isBounded && hasBase64(text);
}

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

/** `PASSWORD_HASH_MEMORY` at most. */
const DEFAULT_MEMORY_MAX_BYTES = 1024 * 1024 * 1024;

/** True for a hash of the form in which this service stores passwords. */
export function isDefaultHash(text: string): boolean {
  return (
    text.startsWith('$argon2id$') && isArgon2(text, DEFAULT_MEMORY_MAX_BYTES) && hasBase64(text)
  );
}

/** Whether a hash is of this MD5, in lower-case hexadecimal digits, and of a supported form. */
export async function verifyImportedHash(stored: string, md5: string): Promise<boolean> {
  if (!isImportableHash(stored)) return false;
  if (stored.startsWith('$argon2')) return verifySync(stored, md5);
  if (stored.startsWith('$2')) return bcryptVerify({ password: md5, hash: stored });
  return stored.startsWith('$scrypt$') ? verifyScrypt(stored, md5) : verifyPbkdf2(stored, md5);
}
