/** The service watches, it never spends: private keys in any spelling are refused before anything is stored or started. */

import { findPrivateKey } from '../lib/detect-private-key.ts';
import { fieldError } from '../lib/failures.ts';

const PAYLOAD_BYTES = 78;
const DEPTH_AT = 4;
const KEY_AT = 45;

/**
 * Checks an account's extended public key, whatever prefix it wears (xpub, tpub, zpub, Ltub …), and gives it back in
 * the plain spelling `xpub…`.
 * @throws `invalid_parameter` for anything private or malformed
 */
export async function readPublicKey(text: string, field = 'xpub'): Promise<string> {
  const refusePrivate = () =>
    fieldError(
      field,
      'private_key',
      'is a private key: the service only watches, give the public one (xpub)',
    );
  if (findPrivateKey(text, { bareHex: true })) throw refusePrivate();
  const [{ createBase58check }, { sha256 }, { HDKey }] = await Promise.all([
    import('@scure/base'),
    import('@noble/hashes/sha2.js'),
    import('@scure/bip32'),
  ]);
  let payload: Uint8Array;
  try {
    payload = createBase58check(sha256).decode(text.trim());
  } catch {
    throw fieldError(field, 'malformed', 'is no extended public key: its checksum does not fit');
  }
  if (payload.length !== PAYLOAD_BYTES)
    throw fieldError(field, 'malformed', 'is no extended public key');
  // A private key's 33 bytes begin with zero, a public one's with 2 or 3, whatever the prefix claims.
  if (payload[KEY_AT] === 0) throw refusePrivate();
  try {
    const key = new HDKey({
      depth: payload[DEPTH_AT] ?? 0,
      parentFingerprint: readUint32(payload, 5),
      index: readUint32(payload, 9),
      chainCode: payload.slice(13, KEY_AT),
      publicKey: payload.slice(KEY_AT),
    });
    return key.publicExtendedKey;
  } catch {
    throw fieldError(
      field,
      'malformed',
      'is no extended public key: its point is not on the curve',
    );
  }
}

function readUint32(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(at);
}

/** Refuses RPC addresses that are no URL or carry a key. @throws `invalid_parameter` */
export function checkRpcUrls(urls: readonly string[], field = 'rpc_urls'): void {
  for (const url of urls) {
    const isHttp = URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
    if (!isHttp) throw fieldError(field, 'malformed', 'must hold http:// or https:// addresses');
    refusePrivateKey(url, field);
  }
}

/** Refuses a text that holds the means to spend. @throws `invalid_parameter` */
export function refusePrivateKey(text: string, field: string): void {
  const kind = findPrivateKey(text);
  if (kind) throw fieldError(field, 'private_key', `holds ${kind}: the service only watches`);
}

/** What may be shown of an RPC address: never its path, query or password, where providers put access keys. */
export function redactUrl(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
