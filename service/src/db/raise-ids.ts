/** After a restore: no id that the lost part of the database gave away is given again. */
import type { Transaction } from './types.ts';

/** More than any database gives away between a backup and its restore. */
export const RAISED_BY = 2 ** 32;

/** Ids of users have 37 bits: a smaller step leaves room for 500 restores. */
const USERS_RAISED_BY = 2 ** 28;

/**
 * Raises the sequence of every id of 64 bits that was used. Ids are counted on from there. For the
 * owner of the schema.
 * @returns the number of sequences
 */
export async function raiseIds(tx: Transaction): Promise<number> {
  const { rowCount } = await tx.query(
    `select setval(format('%I.%I', schemaname, sequencename)::regclass, last_value
       + case sequencename when 'app_user_id_seq' then ${USERS_RAISED_BY} else ${RAISED_BY} end)
     from pg_sequences
     where schemaname = current_schema and data_type::text = 'bigint'
       and last_value is not null`,
  );
  return rowCount;
}
