/** Hashes and signatures by Web Crypto, which Node.js and browsers have alike. */
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

const encoder = new TextEncoder();

type Bytes = Uint8Array<ArrayBuffer>;

export function fromHex(text: string): Bytes {
  if (!/^([0-9a-f]{2})*$/.test(text)) throw new RangeError('not hexadecimal');
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function fromBase64Url(text: string): Bytes {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
    char.charCodeAt(0),
  );
}

export async function sha256(...parts: readonly Uint8Array[]): Promise<Bytes> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', whole));
}

export async function hashText(text: string): Promise<string> {
  return toHex(await sha256(encoder.encode(text)));
}

/** Where a leaf is in a tree of `size` leaves. */
interface MerklePath {
  readonly salt: string;
  readonly size: number;
  readonly path: readonly string[];
}

/** The root of a leaf and its path (RFC 9162); undefined when the path does not fit the tree. */
export async function computeMerkleRoot(
  { salt, size, path }: MerklePath,
  content: string,
  index: number,
): Promise<string | undefined> {
  if (!(index >= 0 && index < size)) return undefined;
  let current = await sha256(LEAF, fromHex(salt), encoder.encode(content));
  let taken = 0;
  let i = index;
  for (let last = size - 1; last > 0; last = Math.floor(last / 2), i = Math.floor(i / 2)) {
    // The last node of an odd row has no neighbour.
    if (i % 2 === 0 && i === last) continue;
    const text = path[taken++];
    if (text === undefined) return undefined;
    const neighbour = fromHex(text);
    current =
      i % 2 === 0 ? await sha256(NODE, current, neighbour) : await sha256(NODE, neighbour, current);
  }
  return taken === path.length ? toHex(current) : undefined;
}

/** A published key, as `/.well-known/reward-keys.json` lists them. */
export interface RewardKey {
  readonly kty: string;
  readonly crv: string;
  readonly kid: string;
  readonly x: string;
}

/** RFC 7638. */
async function thumbprint(x: string): Promise<string> {
  return toBase64Url(
    await sha256(encoder.encode(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))),
  );
}

/** True when one of the published keys made the signature. */
export async function isSigned(
  keys: readonly RewardKey[],
  kid: string,
  text: string,
  signature: string,
): Promise<boolean> {
  const key = keys.find(
    (candidate) => candidate.kid === kid && candidate.kty === 'OKP' && candidate.crv === 'Ed25519',
  );
  if (!key || key.kid !== (await thumbprint(key.x))) return false;
  const imported = await crypto.subtle.importKey(
    'jwk',
    { kty: key.kty, crv: key.crv, x: key.x },
    { name: 'Ed25519' },
    false,
    ['verify'],
  );
  const bytes = fromBase64Url(signature);
  // One spelling per signature: base64url leaves bits unused at its end.
  return (
    toBase64Url(bytes) === signature &&
    crypto.subtle.verify({ name: 'Ed25519' }, imported, bytes, encoder.encode(text))
  );
}
