/** A database whose process is killed at a statement. */
import type pg from 'pg';
import type { Database } from '../../src/db/index.ts';

/** The process is killed at its n-th statement, before or after it. */
export class Killed extends Error {}

/**
 * A database whose process is killed at a statement; everything that was not committed is lost with
 * it.
 * @param isCounted which statements count
 */
export function createDying(
  database: Database,
  at: number,
  isAfter: boolean,
  isCounted: (text: string) => boolean,
): { database: Database; count: () => number } {
  let count = 0;
  const die = async <T>(text: string, work: () => Promise<T>): Promise<T> => {
    if (count > at) throw new Killed();
    if (!isCounted(text)) return work();
    count++;
    if (count > at || (count === at && !isAfter)) throw new Killed();
    const result = await work();
    if (count >= at) throw new Killed();
    return result;
  };
  const wrap = (client: pg.PoolClient): pg.PoolClient =>
    new Proxy(client, {
      get: (target, name) => {
        if (name === 'release') return (broken?: Error) => target.release(broken);
        if (name !== 'query') return Reflect.get(target, name);
        // The server rolls back when the connection is lost.
        return (query: pg.QueryConfig) =>
          query.text === 'rollback'
            ? target.query(query)
            : die(query.text, () => target.query(query));
      },
    });
  const dying: Database = {
    ...database,
    query: (text, values) => die(text, () => database.query(text, values)) as never,
    prepared: (name, text, values) =>
      die(text, () => database.prepared(name, text, values)) as never,
    pool: new Proxy(database.pool, {
      get: (target, name) => {
        if (name === 'connect') return async () => wrap(await target.connect());
        // A listener would stay with the pool when its process is dead.
        return name === 'on' ? () => {} : Reflect.get(target, name);
      },
    }),
  };
  return { database: dying, count: () => count };
}
