/** Recognises the means to spend: the service only watches, so none may be anywhere in its configuration. */
import { hash } from 'node:crypto';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const CHECKSUM_BYTES = 4;

/** Kind of secret, in words. */
export type PrivateKeyKind =
  | 'an extended private key'
  | 'a raw private key'
  | 'a private key in wallet import format'
  | 'an encrypted private key'
  | 'seed words';

/** xprv, yprv, zprv, tprv … of Bitcoin, Ltpv and Mtpv of Litecoin, even with a typing mistake. */
const EXTENDED_PREFIX = /[1-9A-HJ-NP-Za-km-z](?:prv|tpv)[1-9A-HJ-NP-Za-km-z]{100,110}/;
/** BIP-32, whatever its prefix says: the bytes of a private key begin with zero, those of a public one with 2 or 3. */
const EXTENDED = /^[1-9A-HJ-NP-Za-km-z]{107,112}$/;
const EXTENDED_BYTES = 82;
const EXTENDED_KEY_AT = 45;
const RAW = /^0x[0-9a-fA-F]{64}$/;
const BARE = /^[0-9a-fA-F]{64}$/;
/** Version, key, perhaps the mark of a compressed public key, checksum. */
const WIF = /^[1-9A-HJ-NP-Za-km-z]{51,52}$/;
const WIF_BYTES = [37, 38];
/** BIP-38. */
const ENCRYPTED = /^6P[1-9A-HJ-NP-Za-km-z]{56}$/;
const WORDS = /^[a-z]{3,8}(?:[\s,]+[a-z]{3,8}){11,23}$/;
const WORDS_STEP = 3;

/** The bytes of a base58 text whose checksum fits; undefined for any other text. */
function decodeBase58Check(text: string): Buffer | undefined {
  let value = 0n;
  for (const letter of text) value = value * 58n + BigInt(BASE58.indexOf(letter));
  const digits = value.toString(16);
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
  const [body, checksum] = [bytes.subarray(0, -CHECKSUM_BYTES), bytes.subarray(-CHECKSUM_BYTES)];
  const expected = hash('sha256', hash('sha256', body, 'buffer'), 'buffer').subarray(0, CHECKSUM_BYTES);
  return checksum.equals(expected) ? bytes : undefined;
}

function isSeedWords(text: string): boolean {
  const words = text.trim().toLowerCase();
  return WORDS.test(words) && words.split(/[\s,]+/).length % WORDS_STEP === 0;
}

function isExtended(text: string): boolean {
  const bytes = EXTENDED.test(text) ? decodeBase58Check(text) : undefined;
  return bytes?.length === EXTENDED_BYTES && bytes[EXTENDED_KEY_AT] === 0;
}

function isWif(text: string): boolean {
  return WIF.test(text) && WIF_BYTES.includes(decodeBase58Check(text)?.length ?? 0);
}

/** Percent signs undone, where they are meant so. */
function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/**
 * Looks for a private key anywhere in a text: in a URL, a descriptor, JSON.
 * @param options.bareHex whether 64 hex digits without `0x` count; elsewhere they may as well be a hash or an access key
 * @returns its kind, or undefined
 */
export function findPrivateKey(text: string, options: { bareHex?: boolean } = {}): PrivateKeyKind | undefined {
  const plain = text.includes('%') ? decodePercent(text) : text;
  if (EXTENDED_PREFIX.test(plain)) return 'an extended private key';
  for (const token of plain.split(/[^0-9A-Za-z]+/)) {
    if (isExtended(token)) return 'an extended private key';
    if (RAW.test(token) || (options.bareHex && BARE.test(token))) return 'a raw private key';
    if (ENCRYPTED.test(token)) return 'an encrypted private key';
    if (isWif(token)) return 'a private key in wallet import format';
  }
  return plain.split(/["'`=:;{}[\]()?&]+/).some(isSeedWords) ? 'seed words' : undefined;
}
