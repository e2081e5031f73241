/** What an archived settlement says of itself: a signed JSON text in the metadata of its file. */
import { createPublicKey, verify } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { type ProofKey, thumbprint } from '../proofs/proof-key.ts';

/** Key of the label in the metadata of the file. */
export const LABEL = 'edge_account.reward_archive';
const ARCHIVE_TYPE = 'edge-account reward archive';

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Count = Type.Integer({ minimum: 0 });
const Body = Type.Object({
  type: Type.Literal(ARCHIVE_TYPE),
  version: Type.Literal(1),
  settlement: Type.Object({
    id: Type.Integer({ minimum: 1 }),
    kind: Type.String(),
    hour: Type.String({ description: 'Its hour, ISO 8601 in UTC.' }),
    lines: Count,
    buckets: Type.Array(Count, { description: 'Lines of each bucket; empty: it has one tree.' }),
    salt_key: Hash,
    root: Hash,
  }),
  reports: Count,
  digest: Type.String({ description: 'SHA-256 over all rows, base64url.' }),
});
/** What is signed. */
export type ArchiveBody = Static<typeof Body>;

const Label = Type.Object({
  body: Type.String(),
  signature: Type.String(),
  key: Type.Record(Type.String(), Type.Unknown(), { description: 'Public key (JWK).' }),
});
/** The signed body, and the public key that signed it. */
export type ArchiveLabel = Static<typeof Label>;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function createLabel(key: ProofKey, content: Omit<ArchiveBody, 'type' | 'version'>): string {
  const body = JSON.stringify({ type: ARCHIVE_TYPE, version: 1, ...content } satisfies ArchiveBody);
  const label: ArchiveLabel = { body, signature: key.sign(body), key: { ...key.published } };
  return JSON.stringify(label);
}

export function parseLabel(text: string): ArchiveLabel | undefined {
  const label = parse(text);
  return Value.Check(Label, label) ? label : undefined;
}

/** A public key (JWK), as it is published. */
export type ArchiveKey = Readonly<Record<string, unknown>>;

const isOf = (text: string, signature: string, { kty, crv, x }: ArchiveKey): boolean => {
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string') return false;
  try {
    const key = createPublicKey({ key: { kty, crv, x }, format: 'jwk' });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
};

/** What a label proves, and the RFC 7638 thumbprint of the key that signed it. */
export interface ProvenLabel {
  readonly body: ArchiveBody;
  readonly kid: string;
}

/**
 * The body of a label that one of some keys signed.
 * @returns what is wrong, as text
 */
export function proveLabel(
  { body: text, signature }: ArchiveLabel,
  keys: readonly ArchiveKey[],
): ProvenLabel | string {
  const key = keys.find((known) => isOf(text, signature, known));
  if (!key) return 'does not carry a valid signature of a known key';
  const body = parse(text);
  if (!Value.Check(Body, body)) return 'has a label of something else than a settlement';
  return { body, kid: thumbprint(String(key.x)) };
}
