/** Compares every row that a seal covers with its leaf, and finds out which row was changed. */
import { type Db, queryNamed } from '../../db/index.ts';
import { CREDIT, DEBIT, type EntryRow } from '../batch-state.ts';
import { entryBefore } from '../packed-entries.ts';
import type { ReferenceData } from '../reference-data.ts';
import { LEAF_BYTES, leafOf, refusalLine, stepLine, transferLine } from '../seal.ts';
import { idInShard } from '../wallet-ids.ts';
import type { Findings } from './findings.ts';
import { type FoundTransfer, findLeg, type ReadTransfer, readTransfers } from './read-sealed.ts';
import { readRefusals, readSteps } from './read-sealed-steps.ts';
import { readAmount, readNumber } from './stored-values.ts';

export interface SealRow {
  readonly position: number;
  readonly first_transfer: number;
  readonly transfers: number;
  readonly first_step: number;
  readonly steps: number;
  readonly created_us: number;
  readonly mac: Buffer;
  readonly leaves: Buffer;
}

/** Where the replay of a shard stands. */
export interface Walk {
  readonly shard: number;
  seals: number;
  transfers: number;
  steps: number;
  refusals: number;
  mac: Buffer;
}

/** What every check of the chain uses. */
export interface Check {
  readonly db: Db;
  readonly reference: ReferenceData;
  readonly findings: Findings;
}

const ENTRY_BEFORE = `select seq::text, balance_after
  from ${entryBefore(':wallet_id::bigint', ':position::bigint', ':currency_id::smallint')} e`;

/** Refused postings of a batch: the leaves behind those of its transfers and steps. */
export function countRefusals({ leaves, transfers, steps }: SealRow): number {
  return leaves.length / LEAF_BYTES - transfers - steps;
}

/** The entry as it should be, from the one before it. */
async function expectedEntry(
  db: Db,
  currencyId: number,
  entry: EntryRow,
  change: bigint,
): Promise<EntryRow> {
  const before = (
    await queryNamed<{ seq: string; balance_after: string }>(db, ENTRY_BEFORE, {
      wallet_id: entry.walletId,
      position: entry.position,
      currency_id: currencyId,
    })
  ).rows[0];
  return before
    ? {
        ...entry,
        seq: readNumber(before.seq) + 1,
        balanceAfter: readAmount(before.balance_after) + change,
      }
    : { ...entry, seq: 1, balanceAfter: change };
}

function leafOfTransfer(t: ReadTransfer): Buffer {
  return leafOf(transferLine(t, t.eventAt_us, t.createdAt_us));
}

/**
 * Finds out whether a transfer or one of its entries was changed: with the right entry the leaf
 * agrees again.
 */
async function blame(db: Db, t: ReadTransfer, leaf: Buffer): Promise<string> {
  const debit = await expectedEntry(db, t.currency.id, t.debit, -t.amount);
  const credit = await expectedEntry(db, t.currency.id, t.credit, t.amount);
  if (leafOfTransfer({ ...t, debit }).equals(leaf))
    return `entry ${t.debit.walletId}/${t.debit.position}`;
  if (leafOfTransfer({ ...t, credit }).equals(leaf))
    return `entry ${t.credit.walletId}/${t.credit.position}`;
  return `transfer ${t.id}`;
}

/**
 * Of a transfer with an entry that is not where it says: true when the entry stands elsewhere, and
 * with that place the leaf agrees again.
 */
async function isMisplaced(db: Db, t: ReadTransfer, leaf: Buffer): Promise<boolean> {
  const [debit = t.debit, credit = t.credit] = [
    await findLeg(db, t.id, DEBIT),
    await findLeg(db, t.id, CREDIT),
  ];
  return leafOfTransfer({ ...t, debit, credit }).equals(leaf);
}

/** What is wrong with a transfer that does not agree with its leaf. */
async function accuse(
  db: Db,
  { sealed, wrongEntries }: FoundTransfer,
  leaf: Buffer,
  seal: string,
): Promise<{ row: string; detail: string }> {
  const missing = wrongEntries.find((entry) => entry.isMissing);
  const detail = `does not agree with seal ${seal}`;
  if (!missing) return { row: await blame(db, sealed, leaf), detail };
  return (await isMisplaced(db, sealed, leaf)) ? { row: `transfer ${sealed.id}`, detail } : missing;
}

/** What is wrong with a transfer and its two entries. */
async function examine(
  db: Db,
  transfer: FoundTransfer,
  leaf: Buffer,
  seal: string,
): Promise<readonly { row: string; detail: string }[]> {
  return leafOfTransfer(transfer.sealed).equals(leaf)
    ? transfer.wrongEntries
    : [await accuse(db, transfer, leaf, seal)];
}

/** Compares the transfers of some seals, and their entries, with the leaves. */
export async function checkTransfers(
  { db, reference, findings }: Check,
  walk: Walk,
  seals: readonly SealRow[],
): Promise<void> {
  const ids = seals.flatMap((seal) =>
    Array.from({ length: seal.transfers }, (_, i) =>
      idInShard(seal.first_transfer + i, walk.shard),
    ),
  );
  const found = await readTransfers(db, reference, ids);
  for (const seal of seals) {
    for (let i = 0; i < seal.transfers && !findings.isFull(); i++) {
      const id = idInShard(seal.first_transfer + i, walk.shard);
      const leaf = seal.leaves.subarray(i * LEAF_BYTES, (i + 1) * LEAF_BYTES);
      const transfer = found.get(id);
      if (!transfer) findings.add('chain', `transfer ${id}`, 'is missing');
      else
        for (const { row, detail } of await examine(
          db,
          transfer,
          leaf,
          `${walk.shard}/${seal.position}`,
        ))
          findings.add('chain', row, detail);
    }
  }
}

/** Compares the hold steps of some seals, and the terms of the holds, with the leaves. */
export async function checkSteps(
  { db, reference, findings }: Check,
  walk: Walk,
  seals: readonly SealRow[],
): Promise<void> {
  const ids = seals.flatMap((seal) =>
    Array.from({ length: seal.steps }, (_, i) => idInShard(seal.first_step + i, walk.shard)),
  );
  const found = await readSteps(db, reference, ids);
  for (const seal of seals) {
    for (let i = 0; i < seal.steps; i++) {
      const id = idInShard(seal.first_step + i, walk.shard);
      const at = (seal.transfers + i) * LEAF_BYTES;
      const step = found.get(id);
      if (!step) findings.add('chain', `hold_step ${id}`, 'is missing');
      else if (step.kind === 'place' && !step.terms)
        findings.add('chain', `hold ${step.holdId}`, 'is missing');
      else if (
        !leafOf(stepLine(step, step.createdAt_us)).equals(seal.leaves.subarray(at, at + LEAF_BYTES))
      )
        findings.add(
          'chain',
          `hold_step ${id}`,
          `or hold ${step.holdId} does not agree with seal ${walk.shard}/${seal.position}`,
        );
    }
  }
}

/** Compares the refused postings of some seals with the leaves. */
export async function checkRefusals(
  { db, findings }: Check,
  walk: Walk,
  seals: readonly SealRow[],
): Promise<void> {
  const refused = seals.flatMap((seal) => {
    const first = (seal.transfers + seal.steps) * LEAF_BYTES;
    return Array.from({ length: countRefusals(seal) }, (_, i) => ({
      seal: seal.position,
      leaf: seal.leaves.subarray(first + i * LEAF_BYTES, first + (i + 1) * LEAF_BYTES),
    }));
  });
  const idOf = (i: number): number => idInShard(walk.refusals + i, walk.shard);
  const found = await readRefusals(
    db,
    refused.map((_, i) => idOf(i)),
  );
  for (const [i, { seal, leaf }] of refused.entries()) {
    const row = found.get(idOf(i));
    const name = `refused_posting ${idOf(i)}`;
    if (!row) findings.add('chain', name, 'is missing');
    else if (!leafOf(refusalLine(row, row.createdAt_us)).equals(leaf))
      findings.add('chain', name, `does not agree with seal ${walk.shard}/${seal}`);
  }
}
