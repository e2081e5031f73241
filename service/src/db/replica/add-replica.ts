/** A database whose reads may be answered by a standby. */
import type pg from 'pg';
import { preparedConfig, run } from '../run-statement.ts';
import type { Database, Result, Row } from '../types.ts';
import { currentReadScope } from './read-scope.ts';
import type { Replica } from './replica-types.ts';
import { type ReplicaOptions, StandbyReads } from './standby-reads.ts';

/**
 * Adds a standby to a database. Statements outside of a transaction go there in a read scope, and
 * to the primary whenever the standby cannot answer; everything else goes to the primary. A standby
 * that does not answer now is used once it does.
 */
export async function addReplica(
  database: Database,
  options: Omit<ReplicaOptions, 'keepsPrepared'>,
): Promise<Database & { readonly replica: Replica }> {
  const { keepsPrepared } = database;
  const replica = new StandbyReads({ ...options, keepsPrepared });
  await replica.check();
  async function read<R>(
    config: pg.QueryConfig,
    fromPrimary: () => Promise<Result<R>>,
  ): Promise<Result<R>> {
    const answer = await replica.read((client) => run<R>(client, config));
    return answer ? answer.value : fromPrimary();
  }
  return {
    ...database,
    replica,
    query<R = Row>(text: string, values: readonly unknown[] = []): Promise<Result<R>> {
      const fromPrimary = () => database.query<R>(text, values);
      return currentReadScope() ? read({ text, values: [...values] }, fromPrimary) : fromPrimary();
    },
    prepared<R = Row>(
      name: string,
      text: string,
      values: readonly unknown[] = [],
    ): Promise<Result<R>> {
      const fromPrimary = () => database.prepared<R>(name, text, values);
      if (!currentReadScope()) return fromPrimary();
      return read(preparedConfig(database, name, { text, values }), fromPrimary);
    },
    async close() {
      await replica.close();
      await database.close();
    },
  };
}
