/** What an archive says of itself: a JSON text in the metadata of its file. */
import { createPublicKey, hash, type KeyObject } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { type HeadBody, isSignedBy, type SignedHead, type SignedText } from '../signed-heads.ts';
import { SHARDS } from '../wallet-ids.ts';

/** Key of the label in the metadata of the file. */
export const LABEL = 'edge_account.ledger_archive';
const ARCHIVE_TYPE = 'edge-account ledger archive';

const Sha256 = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' });
const HeadName = Type.Object({
  day: Type.String({ description: 'Day that the head closes, `yyyy-MM-dd`.' }),
  sha256: Sha256,
});
const Body = Type.Object({
  type: Type.Literal(ARCHIVE_TYPE),
  version: Type.Literal(1),
  from: Type.Union([HeadName, Type.Null()]),
  to: HeadName,
  digests: Type.Array(Sha256, { minItems: SHARDS, maxItems: SHARDS }),
});
/** What is signed: the two heads by their hashes, and the digest of each shard between them. */
export type ArchiveBody = Static<typeof Body>;

const Signed = Type.Object({ body: Type.String(), signature: Type.String(), kid: Type.String() });
const Head = Type.Object({ ...Signed.properties, day: Type.String() });
const Label = Type.Object({
  archive: Signed,
  from: Type.Union([Head, Type.Null()]),
  to: Head,
  keys: Type.Array(Type.Record(Type.String(), Type.Unknown())),
});
/** The signed body, its heads, and the public keys (JWK) that signed them. */
export type ArchiveLabel = Static<typeof Label>;

const Counts = Type.Object({
  shard: Type.Integer({ minimum: 0, maximum: SHARDS - 1 }),
  seals: Type.Integer({ minimum: 0 }),
  transfers: Type.Integer({ minimum: 0 }),
  steps: Type.Integer({ minimum: 0 }),
  refusals: Type.Integer({ minimum: 0 }),
  mac: Type.String({ pattern: '^([0-9a-f]{64})?$' }),
});
/** Where a shard stands at a head. */
export type ShardPlace = Static<typeof Counts>;
const Places = Type.Array(Counts, { minItems: SHARDS, maxItems: SHARDS });

const GENESIS: readonly ShardPlace[] = Array.from({ length: SHARDS }, (_, shard) => ({
  ...{ shard, seals: 0, transfers: 0, steps: 0, refusals: 0, mac: '' },
}));

/**
 * Where every shard stands at a head, in their order; null stands for the time before the first
 * posting.
 * @returns undefined for a head of an earlier version, which does not count refused postings
 */
export function placesOf(head: Pick<HeadBody, 'shards'> | null): ShardPlace[] | undefined {
  if (head === null) return [...GENESIS];
  const { shards } = head;
  if (!Value.Check(Places, shards)) return undefined;
  return shards.every(({ shard }, i) => shard === i) ? shards : undefined;
}

/** Whether nothing was posted between two places. */
export function isSamePlace(a: readonly ShardPlace[], b: readonly ShardPlace[]): boolean {
  return a.every(({ mac, seals }, i) => b[i]?.mac === mac && b[i].seals === seals);
}

const nameOf = ({ day, body }: SignedHead): Static<typeof HeadName> => ({
  day,
  sha256: hash('sha256', body, 'base64url'),
});

export function createBody(
  from: SignedHead | null,
  to: SignedHead,
  digests: readonly string[],
): string {
  const body: ArchiveBody = {
    type: ARCHIVE_TYPE,
    version: 1,
    from: from && nameOf(from),
    to: nameOf(to),
    digests: [...digests],
  };
  return JSON.stringify(body);
}

function parse<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}

export function parseLabel(text: string): ArchiveLabel | undefined {
  const label = parse(text);
  return Value.Check(Label, label) ? label : undefined;
}

export type Jwk = Readonly<Record<string, unknown>>;

/** An Ed25519 key under its RFC 7638 thumbprint; undefined for anything else. */
function readKey(jwk: Jwk): [kid: string, key: KeyObject] | undefined {
  const { kty, crv, x } = jwk;
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string') return undefined;
  try {
    const key = createPublicKey({ key: { kty, crv, x }, format: 'jwk' });
    return [hash('sha256', JSON.stringify({ crv, kty, x }), 'base64url'), key];
  } catch {
    return undefined;
  }
}

function createKeyCheck(keys: readonly Jwk[]): (signed: SignedText) => boolean {
  const known = new Map(keys.flatMap((jwk) => [readKey(jwk)].filter((key) => key !== undefined)));
  return (signed) => {
    const key = known.get(signed.kid);
    return key !== undefined && isSignedBy(key, signed);
  };
}

/** Whether one of some public keys (JWK) signed a text. */
export function isSignedByKeys(signed: SignedText, keys: readonly Jwk[]): boolean {
  return createKeyCheck(keys)(signed);
}

/** What a label proves. */
export interface ProvenLabel {
  readonly from: HeadBody | null;
  readonly to: HeadBody;
  readonly digests: readonly string[];
}

/**
 * Checks the signatures of a label, and that its heads are those of its body.
 * @param keys public keys (JWK) that count
 * @returns what is wrong, as text
 */
export function proveLabel(label: ArchiveLabel, keys: readonly Jwk[]): ProvenLabel | string {
  const isSigned = createKeyCheck(keys);
  const { archive, from, to } = label;
  if (!isSigned(archive)) return 'the label does not carry a valid signature of a known key';
  const body = parse(archive.body);
  if (!Value.Check(Body, body)) return 'what was signed is no label of an archive';
  for (const head of [from, to])
    if (head && !isSigned(head))
      return `the head of ${head.day} does not carry a valid signature of a known key`;
  const isOfBody = (head: SignedHead | null, name: ArchiveBody['from']): boolean =>
    head === null ? name === null : name !== null && name.sha256 === nameOf(head).sha256;
  if (!isOfBody(from, body.from) || !isOfBody(to, body.to))
    return 'the heads are other ones than those of the label';
  const heads = { from: from && parse<HeadBody>(from.body), to: parse<HeadBody>(to.body) };
  if (heads.from === undefined || heads.to === undefined) return 'a head is no JSON';
  return { from: heads.from, to: heads.to, digests: body.digests };
}
