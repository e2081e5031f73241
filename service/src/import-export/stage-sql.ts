/** Statements on the staging tables. */
import { type Db, type Transaction, transaction } from '../db/index.ts';

export const reject = (select: string): string =>
  `insert into import_reject (file, line, field, code, message) ${select}`;

export const NOT_REJECTED = (row: string): string =>
  `not exists (select from import_reject r where r.file = ${row}.file and r.line = ${row}.line)`;

/** `set` is no query: the export sets its isolation after it. */
const UNLIMITED = [
  'set local statement_timeout = 0',
  'set local idle_in_transaction_session_timeout = 0',
  `set local work_mem = '64MB'`,
  `set local maintenance_work_mem = '256MB'`,
];

/** Runs statements that read whole tables, and make indexes of them. */
export function unlimited<T>(db: Db, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return transaction(db, async (tx) => {
    await runAll(tx, UNLIMITED);
    return work(tx);
  });
}

export async function runAll(tx: Transaction, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await tx.query(statement);
}
