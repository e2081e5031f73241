/** The root of a settlement: over its lines, or over the roots of its buckets. */
import { queryNamed, type Transaction } from '../db/index.ts';
import { type Bucket, listBuckets, type Part, partsOf } from './buckets.ts';
import { hashBucket, rootOf, rootOfBuckets } from './merkle.ts';
import { CHUNK, readChunks } from './reward-lines.ts';
import type { Settlement } from './settlements.ts';

/** The root of a part; undefined while it has lines that are not posted. */
async function rootOfPart(
  tx: Transaction,
  settlementId: number,
  part: Part,
): Promise<Buffer | undefined> {
  const chunks = await readChunks(tx, settlementId, part);
  return chunks.length < Math.ceil(part.lines / CHUNK)
    ? undefined
    : rootOf(chunks.map(({ root }) => root));
}

const STORE_ROOTS = `update reward_bucket k set root = r.root
  from unnest(:buckets::int[], :roots::bytea[]) as r (bucket, root)
  where k.batch_id = :batch_id and k.bucket = r.bucket`;

/** The root of a settlement whose parts have these roots. */
export function rootOfParts(buckets: readonly Bucket[], roots: readonly Buffer[]): Buffer {
  return buckets.length === 0
    ? rootOf(roots)
    : rootOfBuckets(roots.map((root, n) => hashBucket(buckets[n]?.lines ?? 0, root)));
}

/**
 * Stores the roots of the buckets, for proofs.
 * @returns the root of all; undefined while a line is not posted
 */
export async function combineRoots(
  tx: Transaction,
  { id, lines }: Settlement,
): Promise<Buffer | undefined> {
  const buckets = await listBuckets(tx, id);
  const parts = partsOf(lines, buckets);
  const roots: Buffer[] = [];
  for (const part of parts) {
    const root = await rootOfPart(tx, id, part);
    if (!root) return undefined;
    roots.push(root);
  }
  if (buckets.length > 0)
    await queryNamed(tx, STORE_ROOTS, {
      batch_id: id,
      buckets: parts.map(({ bucket }) => bucket),
      roots,
    });
  return rootOfParts(buckets, roots);
}
