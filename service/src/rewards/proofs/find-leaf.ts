/** Finds a line in the tree of its settlement, with its path to the root. */
import type { Db } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import { hashBuckets, listBuckets, type Part, partsOf } from '../buckets.ts';
import { pathOf, rootOf } from '../merkle.ts';
import { CHUNK, hashLines, type LeafFormat, type Line, readChunks } from '../reward-lines.ts';
import type { Settlement } from '../settlements.ts';
import type { LineProof } from './proof.ts';
import type { SettledRecords } from './settled-records.ts';

/** Records that were changed after the settlement: a proof of them would be invalid. */
export function notProvable(problem: string): Error {
  return failure('not_provable', {
    detail:
      `${problem}, so no proof can be made. ` +
      'Tell the operator: a check of the ledger names the changed records.',
  });
}

export interface Leaf {
  readonly line: Line;
  readonly format: LeafFormat;
  readonly tree: Pick<LineProof['tree'], 'size' | 'path' | 'bucket'>;
  /** The bill that paid it; undefined: not paid. */
  readonly billId: number | undefined;
}

/** The tree of a leaf, without its path: that of its bucket, or of the whole settlement. */
interface Subtree extends Part {
  /** Hashes of all buckets; none: the settlement has one tree. */
  readonly hashes: readonly Buffer[];
}

async function findSubtree(db: Db, settlement: Settlement, leaf: number): Promise<Subtree> {
  const buckets = await listBuckets(db, settlement.id);
  const parts = partsOf(settlement.lines, buckets);
  const part = parts.find(({ first, lines }) => leaf >= first && leaf < first + lines);
  const hashes = hashBuckets(buckets);
  if (!part || !hashes) throw notProvable(OTHER_LINES(settlement));
  return { ...part, hashes };
}

const OTHER_LINES = ({ id }: Settlement): string =>
  `The lines of settlement ${id} are not those that were settled`;

export async function findLeaf(
  db: Db,
  records: SettledRecords,
  settlement: Settlement,
  leaf: number,
): Promise<Leaf> {
  const { first, lines: size, bucket, hashes: buckets } = await findSubtree(db, settlement, leaf);
  const begin = Math.floor(leaf / CHUNK) * CHUNK;
  const { lines, bills } = await records.readLines(begin, CHUNK);
  const line = lines[leaf - begin];
  const chunks = await readChunks(db, settlement.id, { first, lines: size });
  const chunk = (begin - first) / CHUNK;
  const format = chunks[chunk]?.format ?? 2;
  const hashes = hashLines(settlement.saltKey, lines, bills, format);
  const ofChunks = chunks.map(({ root }) => root);
  if (!line || !ofChunks[chunk]?.equals(rootOf(hashes))) throw notProvable(OTHER_LINES(settlement));
  const path = [...pathOf(hashes, leaf - begin), ...pathOf(ofChunks, chunk)];
  return {
    line,
    format,
    billId: bills.get(leaf),
    tree: {
      size: settlement.lines,
      ...(buckets.length > 0 && { bucket: { number: bucket, size, count: buckets.length } }),
      path: [...path, ...pathOf(buckets, bucket)].map((hash) => hash.toString('hex')),
    },
  };
}
