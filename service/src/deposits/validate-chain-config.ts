/**
 * Validates the configuration of chains. The service watches and never spends: private keys in any
 * form are refused before anything is stored or started.
 */
import { findPrivateKey } from '../lib/detect-private-key.ts';
import { fieldError } from '../lib/failures.ts';

/** BIP-32: version, depth, fingerprint, index, chain code, and the key at the end. */
const VERSION_BYTES = 4;
const KEY_AT = 45;
const XPUB_VERSION = [0x04, 0x88, 0xb2, 0x1e];

/**
 * Checks an account's extended public key, with any version prefix (xpub, tpub, zpub, Ltub …), and
 * returns it with the prefix `xpub`.
 * @throws `invalid_parameter` for a private or malformed key
 */
export async function readPublicKey(text: string): Promise<string> {
  const isPrivate = 'is a private key: the service only watches, give the public one (xpub)';
  if (findPrivateKey(text, 'key')) throw fieldError('xpub', 'private_key', isPrivate);
  const [{ createBase58check }, { sha256 }, { HDKey }] = await Promise.all([
    import('@scure/base'),
    import('@noble/hashes/sha2.js'),
    import('@scure/bip32'),
  ]);
  const base58check = createBase58check(sha256);
  let payload: Uint8Array;
  try {
    payload = base58check.decode(text.trim());
  } catch {
    throw fieldError('xpub', 'malformed', 'is no extended public key: its checksum does not fit');
  }
  // The 33 bytes of a private key begin with 0, those of a public one with 2 or 3, whatever the
  // version prefix.
  if (payload[KEY_AT] === 0) throw fieldError('xpub', 'private_key', isPrivate);
  try {
    const xpub = Uint8Array.of(...XPUB_VERSION, ...payload.slice(VERSION_BYTES));
    return HDKey.fromExtendedKey(base58check.encode(xpub)).publicExtendedKey;
  } catch {
    throw fieldError('xpub', 'malformed', 'is no extended public key');
  }
}

/** Refuses RPC URLs that are malformed or contain a private key. @throws `invalid_parameter` */
export function checkRpcUrls(urls: readonly string[]): void {
  for (const url of urls) {
    const isHttp = ['http:', 'https:'].includes(URL.parse(url)?.protocol ?? '');
    if (!isHttp)
      throw fieldError('rpc_urls', 'malformed', 'must hold http:// or https:// addresses');
    refusePrivateKey(url, 'rpc_urls');
  }
}

/** Refuses a text that contains a private key. @throws `invalid_parameter` */
export function refusePrivateKey(text: string, field: string): void {
  const kind = findPrivateKey(text);
  if (kind) throw fieldError(field, 'private_key', `holds ${kind}: the service only watches`);
}

/** The URL without path, query and password, where providers put access keys. */
export function redactUrl(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
