/** One secret of each kind, made from fixed bytes; none was ever used. */
import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';

const SECRET = Buffer.alloc(32, 0xa7);
const base58check = createBase58check(sha256);
const hex = SECRET.toString('hex');

/** SLIP-132: the first four bytes determine the prefix. */
const EXTENDED = {
  xprv: 0x0488ade4,
  yprv: 0x049d7878,
  zprv: 0x04b2430c,
  Yprv: 0x0295b005,
  Zprv: 0x02aa7a99,
  tprv: 0x04358394,
  uprv: 0x044a4e28,
  vprv: 0x045f18bc,
  Ltpv: 0x019d9cfe,
  Mtpv: 0x01b26792,
  dgpv: 0x02fac398,
} as const;

const wif = (version: number, isCompressed: boolean): string =>
  base58check.encode(Uint8Array.from([version, ...SECRET, ...(isCompressed ? [1] : [])]));
const extended = (version: number): string =>
  HDKey.fromMasterSeed(SECRET, { private: version, public: 0x0488b21e }).privateExtendedKey;

/** Secrets that are recognised in any place. */
export const PRIVATE_KEYS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(EXTENDED).map(([prefix, version]) => [prefix, extended(version)]),
  ),
  'a private key of an EVM account': `0x${hex}`,
  'one in capitals': `0x${hex.toUpperCase()}`,
  'WIF of Bitcoin': wif(0x80, false),
  'WIF of Bitcoin, compressed': wif(0x80, true),
  'WIF of Litecoin': wif(0xb0, true),
  'WIF of Dogecoin': wif(0x9e, true),
  'WIF of a test network': wif(0xef, true),
  'BIP-38': `6P${base58check
    .encode(Uint8Array.from({ length: 40 }, (_, at) => at + 90))
    .slice(0, 56)
    .padEnd(56, 'z')}`,
  'seed words, 12': 'legal winner thank year wave sausage worth useful legal winner thank yellow',
  'seed words, 24, on lines': `${'zoo\n'.repeat(23)}vote`,
  'seed words in capitals, with commas':
    'LEGAL, WINNER, THANK, YEAR, WAVE, SAUSAGE, WORTH, USEFUL, LEGAL, WINNER, THANK, YELLOW',
};

/** Recognised only where a key is expected. */
export const BARE_HEX_KEY = hex;
