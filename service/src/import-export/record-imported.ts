/** What was imported: a row that comes again is recognised by it. */
import { plainArray, queryNamed, type Transaction, textArray } from '../db/index.ts';
import type { FileName } from './schemas.ts';
import type { WorkRow } from './stage.ts';

const RECORD = `insert into imported_row (file, key, user_id, revision, digest, amount)
  select :file, key, user_id, revision, decode(digest, 'hex'), amount
  from unnest(:keys::text[], :user_ids::bigint[], :revisions::int[], :digests::text[],
    :amounts::numeric[])
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
  await queryNamed(tx, RECORD, {
    file,
    keys: textArray(applied.map(({ row }) => row.key)),
    user_ids: plainArray(applied.map(({ row }) => row.user_id)),
    revisions: plainArray(applied.map(({ row }) => nextRevision(row))),
    digests: plainArray(applied.map(({ row }) => row.digest)),
    amounts: plainArray(applied.map(({ amount = 0n }) => amount)),
  });
}
