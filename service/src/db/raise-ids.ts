/** After a restore: no id that the lost part of the database gave away is given again. */
import type { Transaction } from './types.ts';

/** More than any database gives away between a backup and its restore. */
export const RAISED_BY = 2 ** 32;

/**
 * Raises the sequence of every id of 64 bits that was used. Ids are counted on from there. For the
 * owner of the schema.
 * @returns the number of sequences
 */
export async function raiseIds(tx: Transaction): Promise<number> {
  const { rowCount } = await tx.query(
    `select setval(format('%I.%I', schemaname, sequencename)::regclass, last_value + ${RAISED_BY})
     from pg_sequences
     where schemaname = current_schema and data_type::text = 'bigint'
       and last_value is not null`,
  );
  return rowCount;
}
