/** Forward-only migrations: plain SQL files of `service/migrations/`, each applied once, in the order of their names. */
import { readMigrations } from './migrations.ts';
import { transaction } from './transaction.ts';
import type { Database } from './types.ts';

/** Any number, the same in every process: migrations of two nodes queue on it. */
const LOCK = 7_316_001;

/**
 * Applies what is missing, all in one transaction; safe to run from several nodes at once.
 * @returns names of the migrations applied now
 * @throws when a migration that was applied has been edited since
 */
export async function migrate(database: Database): Promise<string[]> {
  return transaction(database, async (tx) => {
    // A large table takes longer to change than a request may.
    await tx.query('set local statement_timeout = 0');
    await tx.query('select pg_advisory_xact_lock($1)', [LOCK]);
    await tx.query(
      'create table if not exists schema_migration (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    );
    const { rows } = await tx.query<{ name: string; checksum: string }>('select name, checksum from schema_migration');
    const applied = new Map(rows.map((row) => [row.name, row.checksum]));
    const done: string[] = [];
    for (const { name, sql, checksum } of readMigrations()) {
      const known = applied.get(name);
      if (known === checksum) continue;
      if (known !== undefined) throw new Error(`migration ${name} was changed after it had been applied`);
      await tx.query(sql);
      await tx.query('insert into schema_migration (name, checksum) values ($1, $2)', [name, checksum]);
      done.push(name);
    }
    return done;
  });
}
