/** Job: deletes expired rows of the tables of sign-in in chunks. */
import type { Db } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';

const DELETE_CHUNK_ROWS = 1000;
const DAY_MS = 86_400_000;

/** Each table with its key, its time column, and the days that rows are kept after that time. */
const KEPT = [
  { table: 'ticket', key: 'ticket_hash', age: 'expires_at', days: 1 },
  { table: 'registration', key: 'ticket_hash', age: 'expires_at', days: 1 },
  { table: 'reauthentication', key: 'sid', age: 'at', days: 1 },
  { table: 'user_session', key: 'sid', age: 'expires_at', days: 30 },
  { table: 'security_event', key: 'id', age: 'created_at', days: 400 },
] as const;

/** Safe to stop at any point and to run again. @returns the number of deleted rows */
export async function deleteExpired(db: Db, clock: Clock): Promise<number> {
  let total = 0;
  for (const { table, key, age, days } of KEPT) {
    const before = new Date(clock.now().getTime() - days * DAY_MS);
    let deleted = DELETE_CHUNK_ROWS;
    while (deleted === DELETE_CHUNK_ROWS) {
      ({ rowCount: deleted } = await db.query(
        `delete from ${table} where ${key} in (
           select ${key} from ${table} where ${age} < $1 limit ${DELETE_CHUNK_ROWS})`,
        [before],
      ));
      total += deleted;
    }
  }
  return total;
}
