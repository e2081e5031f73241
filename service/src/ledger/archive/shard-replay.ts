/** Replays the batches of one shard, as a file has them, from a head to the next one. */
import type { KeyObject } from 'node:crypto';
import { sealBatch } from '../seal.ts';
import type { Findings } from '../verify/findings.ts';
import { idInShard } from '../wallet-ids.ts';
import type { ShardPlace } from './archive-label.ts';
import type { RowGroup } from './read-archive.ts';
import { computeLeaf, joinLeaves, type SealedBatch, ShardDigest } from './sealed-batch.ts';

/** In the order in which a seal covers them. */
const KINDS = ['transfer', 'hold_step', 'refusal'] as const;
type Kind = (typeof KINDS)[number];

export class ShardReplay {
  readonly #shard: number;
  readonly #findings: Findings;
  readonly #sealKey: KeyObject | undefined;
  readonly #digest = new ShardDigest();
  readonly #counts: Record<Kind, number>;
  #seals: number;
  #mac: Buffer;

  /** @param sealKey undefined: seals are not recomputed */
  constructor(from: ShardPlace, findings: Findings, sealKey: KeyObject | undefined) {
    this.#shard = from.shard;
    this.#findings = findings;
    this.#sealKey = sealKey;
    this.#counts = { transfer: from.transfers, hold_step: from.steps, refusal: from.refusals };
    this.#seals = from.seals;
    this.#mac = Buffer.from(from.mac, 'hex');
  }

  /** Takes the rows of the next seal. */
  take({ seal, rows }: RowGroup): void {
    if (seal !== this.#seals + 1)
      this.#findings.add('chain', `seal ${this.#shard}/${this.#seals + 1}`, 'is missing');
    const first = { ...this.#counts };
    let stage = 0;
    for (const { sealed, leaf } of rows) {
      const { kind, row } = sealed;
      const expected = idInShard(this.#counts[kind], this.#shard);
      if (KINDS.indexOf(kind) < stage || row.id !== expected)
        this.#findings.add(
          'chain',
          `${kind} ${row.id}`,
          `stands where ${kind} ${expected} belongs`,
        );
      stage = KINDS.indexOf(kind);
      this.#counts[kind] += 1;
      if (
        !computeLeaf(sealed).equals(leaf) ||
        row.createdAt_us !== rows[0]?.sealed.row.createdAt_us
      )
        this.#findings.add('chain', `${kind} ${row.id}`, `does not agree with its leaf`);
    }
    this.#seals = seal;
    this.#seal({
      head: {
        shard: this.#shard,
        position: seal,
        firstTransfer: first.transfer,
        transfers: this.#counts.transfer - first.transfer,
        firstStep: first.hold_step,
        steps: this.#counts.hold_step - first.hold_step,
        createdAt_us: rows[0]?.sealed.row.createdAt_us ?? 0,
      },
      rows,
    });
  }

  #seal(batch: SealedBatch): void {
    this.#digest.add(batch);
    if (this.#sealKey)
      this.#mac = sealBatch(this.#sealKey, this.#mac, batch.head, joinLeaves(batch));
  }

  /** Compares the end with what a head says of it, and with the digest that was signed. */
  finish(to: ShardPlace, digest: string | undefined): void {
    const { transfer, hold_step, refusal } = this.#counts;
    const row = `shard ${this.#shard}`;
    const isAtEnd =
      this.#seals === to.seals &&
      transfer === to.transfers &&
      hold_step === to.steps &&
      refusal === to.refusals;
    if (!isAtEnd) this.#findings.add('chain', row, 'ends elsewhere than its head says');
    if (this.#digest.finish() !== digest)
      this.#findings.add('chain', row, 'does not agree with the digest that was signed');
    if (this.#sealKey && this.#mac.toString('hex') !== to.mac)
      this.#findings.add(
        'chain',
        row,
        'does not lead to the seal of its head under this master key',
      );
  }
}
