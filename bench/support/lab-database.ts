/** What every lab asks of its database. */
import type { Database } from '../../service/src/db/index.ts';
import { findPostmaster } from '../harness/processor-time.ts';

/** Adds people without the cost of registering them. */
export async function insertUsers(database: Database, count: number): Promise<number[]> {
  const { rows } = await database.query<{ id: number }>(
    `insert into app_user (email, email_key, nickname, referral_code, created_at)
     select 'u' || n, 'u' || n, 'u', 'U' || n, now() from generate_series(1, $1::int) n
       returning id`,
    [count],
  );
  return rows.map((row) => row.id);
}

/**
 * Process ID of the server's postmaster, for its processor time; undefined where it cannot be
 * found.
 */
export async function readPostmaster(database: Database): Promise<number | undefined> {
  const { rows } = await database.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0] && findPostmaster(rows[0].pid);
}
