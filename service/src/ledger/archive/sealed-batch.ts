/** A batch of postings as an archive has it: all rows under one seal. */
import { createHash, type Hash } from 'node:crypto';
import { leafOf, placeLine, refusalLine, type SealHead, stepLine, transferLine } from '../seal.ts';
import type { ReadTransfer } from '../verify/read-sealed.ts';
import type { ReadRefusal, ReadStep } from '../verify/read-sealed-steps.ts';

/** A row under a seal. */
export type SealedRow =
  | { readonly kind: 'transfer'; readonly row: ReadTransfer }
  | { readonly kind: 'hold_step'; readonly row: ReadStep }
  | { readonly kind: 'refusal'; readonly row: ReadRefusal };

export interface ArchivedRow {
  readonly sealed: SealedRow;
  /** Hash of the row, as its seal has it. */
  readonly leaf: Buffer;
}

export interface SealedBatch {
  readonly head: SealHead;
  /** Transfers, then steps of holds, then refusals; each kind by number. */
  readonly rows: readonly ArchivedRow[];
}

/** The leaf that a row must have. */
export function computeLeaf({ kind, row }: SealedRow): Buffer {
  if (kind === 'transfer') return leafOf(transferLine(row, row.eventAt_us, row.createdAt_us));
  if (kind === 'hold_step') return leafOf(stepLine(row, row.createdAt_us));
  return leafOf(refusalLine(row, row.createdAt_us));
}

/** The leaves of a batch, as its seal covers them. */
export function joinLeaves({ rows }: SealedBatch): Buffer {
  return Buffer.concat(rows.map(({ leaf }) => leaf));
}

/** SHA-256 over the batches of one shard: no key is needed to compute it, unlike the seals. */
export class ShardDigest {
  readonly #hash: Hash = createHash('sha256');

  add(batch: SealedBatch): void {
    this.#hash.update(placeLine(batch.head)).update(joinLeaves(batch));
  }

  /** base64url; nothing can be added afterwards. */
  finish(): string {
    return this.#hash.digest('base64url');
  }
}
