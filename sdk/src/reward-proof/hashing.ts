/** Hashes and signatures by Web Crypto, which Node.js and browsers have alike. */
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);
const BUCKET = Uint8Array.of(2);
const BUCKETS = Uint8Array.of(3);

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

/** A hash, and how many neighbours of a path it took to compute it. */
interface Climbed {
  readonly hash: Bytes;
  readonly taken: number;
}

/** From a node of a row of `size` to the root (RFC 9162); undefined when the path is too short. */
async function climb(
  from: Climbed,
  index: number,
  size: number,
  path: readonly string[],
): Promise<Climbed | undefined> {
  let { hash, taken } = from;
  let i = index;
  for (let last = size - 1; last > 0; last = Math.floor(last / 2), i = Math.floor(i / 2)) {
    // The last node of an odd row has no neighbour.
    if (i % 2 === 0 && i === last) continue;
    const text = path[taken++];
    if (text === undefined) return undefined;
    const neighbour = fromHex(text);
    hash = i % 2 === 0 ? await sha256(NODE, hash, neighbour) : await sha256(NODE, neighbour, hash);
  }
  return { hash, taken };
}

const isIndex = (index: number, size: number): boolean =>
  Number.isSafeInteger(index) && index >= 0 && index < size;

/** Leaves of a bucket have numbers from its own times this. */
const BUCKET_LEAVES = 2 ** 32;

/** Where a leaf is: in a tree of `size` leaves, or in the tree of a bucket. */
interface MerklePath {
  readonly salt: string;
  readonly size: number;
  readonly bucket?:
    | { readonly number: number; readonly size: number; readonly count: number }
    | undefined;
  readonly path: readonly string[];
}

function toBytes(count: number): Bytes {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(count));
  return bytes;
}

/** The root of a leaf and its path; undefined when the path does not fit the tree. */
export async function computeMerkleRoot(
  { salt, size, bucket, path }: MerklePath,
  content: string,
  leaf: number,
): Promise<string | undefined> {
  const index = bucket ? leaf - bucket.number * BUCKET_LEAVES : leaf;
  const leaves = bucket?.size ?? size;
  if (!isIndex(index, leaves) || leaves > size) return undefined;
  const hash = await sha256(LEAF, fromHex(salt), encoder.encode(content));
  const tree = await climb({ hash, taken: 0 }, index, leaves, path);
  if (!tree || !bucket) return tree?.taken === path.length ? toHex(tree.hash) : undefined;
  const { number, count } = bucket;
  if (!isIndex(number, count)) return undefined;
  const inside = await sha256(BUCKET, toBytes(leaves), tree.hash);
  const top = await climb({ ...tree, hash: inside }, number, count, path);
  return top?.taken === path.length
    ? toHex(await sha256(BUCKETS, toBytes(count), top.hash))
    : undefined;
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
