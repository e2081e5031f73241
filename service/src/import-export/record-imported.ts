/** What was imported: a row that comes again is recognised by it. */
import { plainArray, type Transaction, textArray } from '../db/index.ts';
import type { FileName } from './schemas.ts';
import type { WorkRow } from './stage.ts';

const RECORD = `insert into imported_row (file, key, user_id, revision, digest, amount)
  select $1, key, user_id, revision, decode(digest, 'hex'), amount
  from unnest($2::text[], $3::bigint[], $4::int[], $5::text[], $6::numeric[])
    n (key, user_id, revision, digest, amount)
  on conflict (file, key) do update
    set revision = excluded.revision, digest = excluded.digest, amount = excluded.amount`;

/** A row that was applied, and the sum of its postings so far. */
export interface AppliedRow {
  readonly row: WorkRow;
  readonly amount?: bigint;
}

/** The number of this application of the row, from 1. */
export function nextRevision(row: WorkRow): number {
  return (row.revision ?? 0) + 1;
}

/** Records rows in the transaction that applies them. */
export async function recordImported(
  tx: Transaction,
  file: FileName,
  applied: readonly AppliedRow[],
): Promise<void> {
  if (applied.length === 0) return;
  await tx.query(RECORD, [
    file,
    textArray(applied.map(({ row }) => row.key)),
    plainArray(applied.map(({ row }) => row.user_id)),
    plainArray(applied.map(({ row }) => nextRevision(row))),
    plainArray(applied.map(({ row }) => row.digest)),
    plainArray(applied.map(({ amount = 0n }) => amount)),
  ]);
}
