/** EVM addresses. Loaded at first use: the curve and hash libraries stay out of the start. */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

const ADDRESS = /^0x([0-9a-f]{40}|[0-9A-F]{40})$/;

/** The EIP-55 form: a letter is upper case where the hash has a digit of 8 or more. */
export function checksumAddress(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  const toCase = (letter: string, at: number): string =>
    hash.charAt(at) >= '8' ? letter.toUpperCase() : letter;
  return `0x${digits.replaceAll(/[a-f]/g, toCase)}`;
}

/** True for 20 bytes of hex that are all of one case or carry a right checksum. */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text) || (/^0x[0-9a-fA-F]{40}$/.test(text) && checksumAddress(text) === text);
}

/** The checksummed address of a compressed public key. */
export function toAddress(publicKey: Uint8Array): string {
  const uncompressed = secp256k1.Point.fromBytes(publicKey).toBytes(false);
  return checksumAddress(`0x${bytesToHex(keccak_256(uncompressed.slice(1)).slice(-20))}`);
}
