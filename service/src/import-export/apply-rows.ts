/**
 * Applies the accepted rows: each piece of a file in one transaction, with the record that it was
 * imported. A kill at any line leaves whole pieces, and the next run continues with the rest.
 */
import { type Database, type Transaction, transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { Reject } from './parse-row.ts';
import { type AppliedRow, recordImported } from './record-imported.ts';
import type { FileName } from './schemas.ts';
import { insertRejects, readStaged, type WorkRow } from './stage.ts';

export interface ApplyContext {
  readonly database: Database;
  readonly clock: Clock;
  /** Whether the source wins over what was changed here. */
  readonly overwrites: boolean;
  readonly closedAccountTtl_s: number;
}

/** What became of the rows of a piece. */
export interface Outcome {
  readonly applied: readonly AppliedRow[];
  readonly rejects?: readonly Reject[];
}

export type ApplyPiece = (
  tx: Transaction,
  rows: readonly WorkRow[],
  context: ApplyContext,
) => Promise<Outcome>;

export function rejectRow(
  file: FileName,
  { line }: WorkRow,
  field: string,
  [code, message]: readonly [code: string, message: string],
): Reject {
  return { file, line, field, code, message };
}

/** Rows that are new, or differ from what was imported. */
export function isPending(row: WorkRow): boolean {
  return row.old_digest !== row.digest;
}

export async function applyPiece(
  tx: Transaction,
  file: FileName,
  apply: () => Promise<Outcome>,
): Promise<void> {
  // A crash of the server may lose the last pieces as a whole; the next run applies them again. The
  // certificate waits for the disk, and with it everything before.
  await tx.query('set local synchronous_commit = off');
  const { applied, rejects = [] } = await apply();
  await recordImported(tx, file, applied);
  await insertRejects(tx, rejects);
}

export interface PieceOptions {
  /** Rows of a transaction. */
  readonly size: number;
  /** Transactions at once; the embedded database has one. */
  readonly width: number;
}

interface ApplyOptions extends PieceOptions {
  /** Which rows are applied. */
  readonly isDue: (row: WorkRow) => boolean;
  /** Before the transaction of a piece; what it leaves behind does no harm without the piece. */
  readonly prepare?: (rows: readonly WorkRow[]) => Promise<void>;
}

/** Applies the rows of a file. */
export async function applyFile(
  context: ApplyContext,
  file: FileName,
  { size, width, isDue, prepare }: ApplyOptions,
  apply: ApplyPiece,
): Promise<void> {
  const { database } = context;
  const running = new Set<Promise<void>>();
  const lanes = database.kind === 'embedded' ? 1 : width;
  async function applyOne(rows: readonly WorkRow[]): Promise<void> {
    await prepare?.(rows);
    await transaction(database, (tx) => applyPiece(tx, file, () => apply(tx, rows, context)));
  }
  try {
    for await (const piece of readStaged(database, file, size)) {
      const rows = piece.filter(isDue);
      if (rows.length === 0) continue;
      const work = applyOne(rows).finally(() => running.delete(work));
      running.add(work);
      if (running.size >= lanes) await Promise.race(running);
    }
  } finally {
    await Promise.all(running);
  }
}
