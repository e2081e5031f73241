/** Writes the books of a batch: refusals, steps of holds, and its rows. */
import type { KeyObject } from 'node:crypto';
import { type Db, isUniqueViolation, type Transaction } from '../db/index.ts';
import { plainArray, textArray } from './arrays.ts';
import type { Books, StepRow } from './books.ts';
import { forgetChanged } from './reference.ts';
import { writeRows } from './write-rows.ts';

/** A posting under the same name, or another post to a wallet that did not exist yet, came first: all of it may be tried again. */
export class LedgerRace extends Error {
  readonly code = '40001';
  constructor(cause: unknown) {
    super('another posting came first', { cause });
    this.name = 'LedgerRace';
  }
}

const RACED = ['transfer_idem_key', 'transfer_reverses_key', 'entry_pkey', 'hold_step_idem_key', 'refusal_pkey'];

async function writeRefusals(tx: Transaction, books: Books): Promise<void> {
  const { rowCount } = await tx.query(
    `insert into refusal (idem, request_hash, code, created_at) select idem, decode(hash, 'hex'), code, $4
     from unnest($1::text[], $2::text[], $3::text[]) as r (idem, hash, code)
     where not exists (select from transfer t where t.idem = r.idem)`,
    [
      textArray(books.refusals.map((row) => row.idem)),
      plainArray(books.refusals.map((row) => row.requestHash)),
      plainArray(books.refusals.map((row) => row.code)),
      books.createdAt,
    ],
  );
  // The same name was posted by somebody else after this batch had looked.
  if (rowCount < books.refusals.length) throw new LedgerRace('posted meanwhile');
}

async function writeHold(tx: Transaction, step: StepRow, at: Date): Promise<void> {
  const { terms, after } = step;
  if (!terms) {
    await tx.query('update hold set remaining = $2, state = $3, updated_at = $4 where id = $1', [step.holdId, after.remaining, after.state, at]);
    return;
  }
  await tx.query(
    `insert into hold (id, wallet_id, currency_id, business_id, amount, remaining, state, expires_at, created_at, updated_at, reference, remark)
     values ($1, $2, $3, $4, $5, $5, 'open', $6, $7, $7, $8, $9)`,
    [step.id, terms.walletId, terms.currency.id, terms.business.id, step.amount, terms.expiresAt, at, terms.reference, terms.remark],
  );
}

async function writeSteps(tx: Transaction, books: Books): Promise<void> {
  for (const step of books.steps) {
    await tx.query(
      "insert into hold_step (id, hold_id, kind, amount, transfer_id, created_at, request_hash, idem) values ($1, $2, $3, $4, $5, $6, decode($7, 'hex'), $8)",
      [step.id, step.holdId, step.kind, step.amount, step.transferId, books.createdAt, step.requestHash, step.idem],
    );
    await writeHold(tx, step, books.createdAt);
  }
}

/** What a failed write means. */
export function toRace(db: Db, error: unknown): unknown {
  const isRaced = forgetChanged(db, error) || RACED.some((constraint) => isUniqueViolation(error, constraint));
  return isRaced ? new LedgerRace(error) : error;
}

/**
 * Writes the books. A race that only another try can settle comes out as a serialization failure, which `transaction` tries again.
 * @param isLast nothing follows in the transaction: it may fail after this has returned
 */
export async function writeBooks(tx: Transaction, sealKey: KeyObject, books: Books, { isLast = false } = {}): Promise<void> {
  try {
    if (books.refusals.length > 0) await writeRefusals(tx, books);
    if (books.steps.length > 0) await writeSteps(tx, books);
    if (books.transfers.length > 0 || books.steps.length > 0) await writeRows(tx, sealKey, books, isLast, (error) => toRace(tx, error));
  } catch (error) {
    throw toRace(tx, error);
  }
}
