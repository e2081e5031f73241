/** EVM addresses. Loaded lazily by whoever needs it: the curve and hash libraries stay out of the start. */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const LETTER_CASE_BIT = 8;

/** The EIP-55 spelling of an address: letters in upper case where the hash of the address says so. */
export function checksumAddress(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  let text = '0x';
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charAt(i);
    text += Number.parseInt(hash.charAt(i), 16) >= LETTER_CASE_BIT ? digit.toUpperCase() : digit;
  }
  return text;
}

/** True for 20 bytes of hex that are all of one case or carry a right checksum: a typing mistake is no address. */
export function isAddress(text: string): boolean {
  if (!ADDRESS.test(text)) return false;
  const digits = text.slice(2);
  return (
    digits === digits.toLowerCase() ||
    digits === digits.toUpperCase() ||
    checksumAddress(text) === text
  );
}

/** The checksummed address of a compressed public key. */
export function addressOfPublicKey(publicKey: Uint8Array): string {
  const uncompressed = secp256k1.Point.fromBytes(publicKey).toBytes(false);
  return checksumAddress(`0x${bytesToHex(keccak_256(uncompressed.slice(1)).slice(-20))}`);
}
