/**
 * Seals: one keyed hash per batch over every field it wrote and the seal before it in the shard.
 */
import { createHmac, hash, type KeyObject } from 'node:crypto';
import type {
  BatchState,
  EntryRow,
  HoldTerms,
  RefusalRow,
  Shard,
  StepRow,
  TransferRow,
} from './batch-state.ts';

export const LEAF_BYTES = 16;

/** The fields of a transfer and its two entries that are sealed, besides its times. */
export type SealedTransfer = Omit<TransferRow, 'eventAt'>;

export interface SealHead {
  readonly shard: number;
  readonly position: number;
  readonly firstTransfer: number;
  readonly transfers: number;
  readonly firstStep: number;
  readonly steps: number;
  readonly createdAt_us: number;
}

function entryLine(entry: EntryRow): string {
  return `${entry.walletId},${entry.position},${entry.seq},${entry.balanceAfter}`;
}

/**
 * One line per transfer; free text is JSON, so that no two different transfers share a line. Times
 * are microseconds, as the database keeps them.
 */
export function transferLine(t: SealedTransfer, eventAt_us: number, createdAt_us: number): string {
  const text = JSON.stringify([t.idempotencyKey, t.rewardType, t.nodeId, t.reference, t.remark]);
  const flags = `${t.mayOverdraw ? 1 : 0},${t.reverses ?? ''},${t.holdId ?? ''},${t.requestHash}`;
  const { id, currency, business, amount } = t;
  const what = `T${id},${currency.code}/${currency.scale},${business.code},${amount}`;
  const entries = `${entryLine(t.debit)};${entryLine(t.credit)}`;
  return `${what},${eventAt_us},${createdAt_us},${flags};${entries};${text}\n`;
}

/**
 * What a hold is for, as it is sealed. Its end is in milliseconds: a fraction of one, which the
 * database could keep, is distinguished.
 */
export interface SealedTerms extends Omit<HoldTerms, 'expiresAt' | 'business'> {
  readonly business: TransferRow['business'];
  readonly expiresAt_ms: number | null;
}

/** The fields of a step that are sealed, besides its time. */
export interface SealedStep extends Omit<StepRow, 'terms'> {
  readonly terms: SealedTerms | null;
}

function termsText(terms: SealedTerms | null): unknown {
  if (!terms) return null;
  const { walletId, currency, business, expiresAt_ms, reference, remark } = terms;
  return [walletId, currency.code, currency.scale, business.code, expiresAt_ms, reference, remark];
}

function toSealed({ terms, ...step }: StepRow): SealedStep {
  return {
    ...step,
    terms: terms && { ...terms, expiresAt_ms: terms.expiresAt?.getTime() ?? null },
  };
}

/** One line per step of a hold. */
export function stepLine(s: SealedStep, createdAt_us: number): string {
  const text = JSON.stringify([s.idempotencyKey, termsText(s.terms)]);
  const what = `H${s.id},${s.holdId},${s.kind},${s.amount},${s.remaining},${s.transferId ?? ''}`;
  return `${what},${createdAt_us},${s.requestHash};${text}\n`;
}

/** One line per refused posting. */
export function refusalLine(r: RefusalRow, createdAt_us: number): string {
  const text = JSON.stringify([r.idempotencyKey, r.code, r.details]);
  return `R${r.id},${createdAt_us},${r.requestHash};${text}\n`;
}

/** One character a byte: thousands of small buffers cost more than the hashing. */
function leafText(line: string): string {
  return hash('sha256', line, 'binary').slice(0, LEAF_BYTES);
}

/**
 * Hash of one line: tells which row of a batch was changed. Its secrecy does not matter, the seal
 * covers it.
 */
export function leafOf(line: string): Buffer {
  return Buffer.from(leafText(line), 'latin1');
}

/** The place of a batch in its shard, as it is sealed. */
export function placeLine(head: SealHead): string {
  const { shard, position, firstTransfer, transfers, firstStep, steps, createdAt_us } = head;
  const counts = [firstTransfer, transfers, firstStep, steps].join();
  return `S${shard},${position},${counts},${createdAt_us}\n`;
}

/** The keyed hash of a batch: over its leaves, its place in the shard, and the seal before it. */
export function sealBatch(
  key: KeyObject,
  previous: Buffer,
  head: SealHead,
  leaves: Buffer,
): Buffer {
  return createHmac('sha256', key).update(previous).update(placeLine(head)).update(leaves).digest();
}

/** The next seal of the shard, over what the books will write. */
export function sealBatchState(
  key: KeyObject,
  shard: Shard,
  books: BatchState,
): { head: SealHead; mac: Buffer; leaves: Buffer } {
  const createdAt_us = books.createdAt.getTime() * 1000;
  const head: SealHead = {
    shard: shard.shard,
    position: shard.seals + 1,
    firstTransfer: shard.transfers,
    transfers: books.transfers.length,
    firstStep: shard.steps,
    steps: books.steps.length,
    createdAt_us,
  };
  let leaves = '';
  for (const transfer of books.transfers)
    leaves += leafText(transferLine(transfer, transfer.eventAt.getTime() * 1000, createdAt_us));
  for (const step of books.steps) leaves += leafText(stepLine(toSealed(step), createdAt_us));
  for (const refusal of books.refusals) leaves += leafText(refusalLine(refusal, createdAt_us));
  const bytes = Buffer.from(leaves, 'latin1');
  return { head, mac: sealBatch(key, shard.mac, head, bytes), leaves: bytes };
}
