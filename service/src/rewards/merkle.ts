/**
 * Merkle trees as in RFC 9162: leaves and nodes have different prefixes, and the last node of an
 * odd row moves up unchanged.
 */
import { hash } from 'node:crypto';

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

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
