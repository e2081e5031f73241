/** Computes the root of a settlement from its lines, one after the other. */
import { type Bucket, type Part, partsOf } from '../buckets.ts';
import { rootOfParts } from '../combine-roots.ts';
import { rootOf } from '../merkle.ts';
import { CHUNK, hashLines } from '../reward-lines.ts';
import type { ArchivedLine } from './archive-columns.ts';

/** Leaves are of format 3: older lines are not archived. */
const LEAF_FORMAT = 3;

export interface SettlementTree {
  readonly saltKey: Buffer;
  readonly lines: number;
  readonly buckets: readonly Bucket[];
}

/** Takes the lines in the order of their leaves. */
export class SettlementRoot {
  readonly #tree: SettlementTree;
  readonly #parts: readonly Part[];
  readonly #rootsOfParts: Buffer[] = [];
  #chunks: Buffer[] = [];
  #chunk: ArchivedLine[] = [];
  #linesOfPart = 0;
  #isInOrder = true;

  constructor(tree: SettlementTree) {
    this.#tree = tree;
    this.#parts = partsOf(tree.lines, tree.buckets);
    this.#endParts();
  }

  get #part(): Part | undefined {
    return this.#parts[this.#rootsOfParts.length];
  }

  /** Ends the part that has all of its lines, and parts without lines. */
  #endParts(): void {
    while (this.#part && this.#linesOfPart === this.#part.lines) {
      this.#endChunk();
      this.#rootsOfParts.push(rootOf(this.#chunks));
      this.#chunks = [];
      this.#linesOfPart = 0;
    }
  }

  #endChunk(): void {
    if (this.#chunk.length === 0) return;
    const lines = this.#chunk.map(({ line }) => line);
    const bills = new Map(
      this.#chunk.flatMap(({ line, billId }) => (billId === null ? [] : [[line.leaf, billId]])),
    );
    this.#chunks.push(rootOf(hashLines(this.#tree.saltKey, lines, bills, LEAF_FORMAT)));
    this.#chunk = [];
  }

  add(line: ArchivedLine): void {
    const part = this.#part;
    if (!part || line.line.leaf !== part.first + this.#linesOfPart) {
      this.#isInOrder = false;
      return;
    }
    this.#chunk.push(line);
    this.#linesOfPart += 1;
    if (this.#chunk.length === CHUNK) this.#endChunk();
    this.#endParts();
  }

  /** @returns undefined when a line is missing, or is in another place */
  finish(): Buffer | undefined {
    const isWhole = this.#isInOrder && this.#part === undefined;
    return isWhole ? rootOfParts(this.#tree.buckets, this.#rootsOfParts) : undefined;
  }
}
