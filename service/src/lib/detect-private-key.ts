/**
 * Recognises private keys of chains. The service only watches chains, so its configuration must
 * hold none.
 */
import { hash } from 'node:crypto';
import { createBase58check } from '@scure/base';
import { wordlist } from '@scure/bip39/wordlists/english';

const BASE58_CHECK = createBase58check((bytes: Uint8Array) => hash('sha256', bytes, 'buffer'));

/** Kind of secret, as error messages name it. */
export type PrivateKeyKind =
  | 'an extended private key'
  | 'a raw private key'
  | 'a private key in wallet import format'
  | 'an encrypted private key'
  | 'seed words';

/** xprv, yprv, zprv, tprv … of Bitcoin, Ltpv and Mtpv of Litecoin, even with a wrong checksum. */
const EXTENDED_PREFIX = /[1-9A-HJ-NP-Za-km-z](?:prv|tpv)[1-9A-HJ-NP-Za-km-z]{100,110}/;
/** BIP-32 with any prefix: a private key begins with the byte 0, a public key with 2 or 3. */
const EXTENDED = /^[1-9A-HJ-NP-Za-km-z]{107,112}$/;
const EXTENDED_BYTES = 78;
const EXTENDED_KEY_AT = 45;
/** Also directly after a name. */
const RAW = /0[xX][0-9a-fA-F]{64}(?![0-9a-fA-F])/;
const BARE = /^[0-9a-fA-F]{64}$/;
/** Version, key, for compressed public keys one more byte, checksum. */
const WIF = /^[1-9A-HJ-NP-Za-km-z]{51,52}$/;
const WIF_BYTES = [33, 34];
/** BIP-38. */
const ENCRYPTED = /^6P[1-9A-HJ-NP-Za-km-z]{56}$/;
const WORDS = /^[a-z]{3,8}(?:[\s,]+[a-z]{3,8}){11,23}$/;
const WORDS_STEP = 3;
const SEED_WORDS_MIN = 12;
const SEED_WORDS: ReadonlySet<string> = new Set(wordlist);
const PEM = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----([\s\S]*?)-----END/g;
/** Object identifier of secp256k1, the curve of chains: keys of other curves serve TLS. */
const CHAIN_CURVE = Buffer.from('06052b8104000a', 'hex');
/** Levels of percent encoding that are decoded. */
const ENCODED_DEPTH_MAX = 3;

/** The bytes of a base58 text without its checksum; undefined when the checksum is wrong. */
function decodeBase58Check(text: string): Uint8Array | undefined {
  try {
    return BASE58_CHECK.decode(text);
  } catch {
    return undefined;
  }
}

function isSeedWords(text: string): boolean {
  const words = text.trim().toLowerCase();
  return WORDS.test(words) && words.split(/[\s,]+/).length % WORDS_STEP === 0;
}

/** Twelve words of the list in a row, with any separators or numbers between them. */
function hasSeedWords(text: string): boolean {
  let inRow = 0;
  for (const word of text.toLowerCase().split(/[^a-z]+/)) {
    if (word === '') continue;
    inRow = SEED_WORDS.has(word) ? inRow + 1 : 0;
    if (inRow === SEED_WORDS_MIN) return true;
  }
  return false;
}

/** A key of a chain in a PEM file; line ends may be written as backslash and n. */
function hasPemKey(text: string): boolean {
  return [...text.matchAll(PEM)].some(([, body = '']) =>
    Buffer.from(body.replaceAll('\\n', ''), 'base64').includes(CHAIN_CURVE),
  );
}

function isExtended(text: string): boolean {
  const bytes = EXTENDED.test(text) ? decodeBase58Check(text) : undefined;
  return bytes?.length === EXTENDED_BYTES && bytes[EXTENDED_KEY_AT] === 0;
}

function isWif(text: string): boolean {
  return WIF.test(text) && WIF_BYTES.includes(decodeBase58Check(text)?.length ?? 0);
}

/** Decodes percent encoding; a malformed sequence is kept and does not hide the others. */
function decodePercent(text: string): string {
  return text
    .replaceAll('+', ' ')
    .replaceAll(/(?:%[0-9a-fA-F]{2})+/g, (bytes) =>
      Buffer.from(bytes.replaceAll('%', ''), 'hex').toString(),
    );
}

/** The text itself, and its percent-decoded forms. */
function decodeForms(text: string): string[] {
  const readings = [text];
  for (let depth = 0; depth < ENCODED_DEPTH_MAX; depth++) {
    const last = readings.at(-1) ?? '';
    if (!last.includes('%')) break;
    readings.push(decodePercent(last));
  }
  return readings;
}

/** What 64 hex digits are: a key also without `0x`, a key only with it, or a hash. */
export type HexMeaning = 'key' | 'key with prefix' | 'hash';

function findPlain(plain: string, hex: HexMeaning): PrivateKeyKind | undefined {
  if (EXTENDED_PREFIX.test(plain)) return 'an extended private key';
  if (hex !== 'hash' && RAW.test(plain)) return 'a raw private key';
  if (hasPemKey(plain)) return 'a raw private key';
  for (const token of plain.split(/[^0-9A-Za-z]+/)) {
    if (isExtended(token)) return 'an extended private key';
    if (hex === 'key' && BARE.test(token)) return 'a raw private key';
    if (ENCRYPTED.test(token)) return 'an encrypted private key';
    if (isWif(token)) return 'a private key in wallet import format';
  }
  return hasSeedWords(plain) || plain.split(/["'`=:;{}[\]()?&]+/).some(isSeedWords)
    ? 'seed words'
    : undefined;
}

/**
 * Looks for a private key anywhere in a text: in a URL, a descriptor, JSON.
 * @param hex what 64 hex digits are; in variables they may be a hash or an access key
 * @returns its kind, or undefined
 */
export function findPrivateKey(
  text: string,
  hex: HexMeaning = 'key with prefix',
): PrivateKeyKind | undefined {
  for (const reading of decodeForms(text)) {
    const kind = findPlain(reading, hex);
    if (kind) return kind;
  }
  return undefined;
}
