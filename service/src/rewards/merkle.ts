/**
 * Merkle trees as in RFC 9162: leaves and nodes have different prefixes, and the last node of an
 * odd row moves up unchanged. The roots of buckets are the leaves of one more tree, with their
 * sizes; the root of a settlement in buckets includes how many there are.
 */
import { hash } from 'node:crypto';

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);
const BUCKET = Buffer.of(2);
const BUCKETS = Buffer.of(3);

export function hashLeaf(salt: Buffer, content: string): Buffer {
  return hash('sha256', Buffer.concat([LEAF, salt, Buffer.from(content)]), 'buffer');
}

function hashNode(left: Buffer, right: Buffer): Buffer {
  return hash('sha256', Buffer.concat([NODE, left, right]), 'buffer');
}

function nextRow(row: readonly Buffer[]): Buffer[] {
  const above: Buffer[] = [];
  for (let i = 0; i < row.length; i += 2) {
    const [left, right] = [row[i], row[i + 1]];
    if (left) above.push(right ? hashNode(left, right) : left);
  }
  return above;
}

/** Root over leaf hashes, or over roots of full subtrees. */
export function rootOf(hashes: readonly Buffer[]): Buffer {
  let row = hashes;
  while (row.length > 1) row = nextRow(row);
  return row[0] ?? hash('sha256', '', 'buffer');
}

/** The siblings on the path from one hash to the root, lowest first. */
export function pathOf(hashes: readonly Buffer[], index: number): Buffer[] {
  const path: Buffer[] = [];
  let row = hashes;
  for (let i = index; row.length > 1; i >>= 1) {
    const neighbour = row[i ^ 1];
    if (neighbour) path.push(neighbour);
    row = nextRow(row);
  }
  return path;
}

function hashCounted(prefix: Buffer, count: number, root: Buffer): Buffer {
  const number = Buffer.alloc(8);
  number.writeBigUInt64BE(BigInt(count));
  return hash('sha256', Buffer.concat([prefix, number, root]), 'buffer');
}

/** A bucket among the others of its settlement. */
export function hashBucket(lines: number, root: Buffer): Buffer {
  return hashCounted(BUCKET, lines, root);
}

/** Root of a settlement, over the hashes of its buckets. */
export function rootOfBuckets(hashes: readonly Buffer[]): Buffer {
  return hashCounted(BUCKETS, hashes.length, rootOf(hashes));
}
