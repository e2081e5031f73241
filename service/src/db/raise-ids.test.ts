import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { type Database, raiseIds, transaction } from './index.ts';

/** Restores that every kind of id has room for. */
const RESTORES = 500;

describe.each(RUN_ENGINES)('ids after a restore on %s', (engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(engine, { isOwner: true });
  });
  afterAll(() => database.close());

  test('each restore raises every id, and there is room for hundreds of them', async () => {
    const { rows: sequences } = await database.query<{ name: string }>(
      `select sequencename as name from pg_sequences
       where schemaname = current_schema and data_type::text = 'bigint'`,
    );
    for (const { name } of sequences) await database.query('select nextval($1)', [name]);
    const next = async (name: string): Promise<number> => {
      const { rows } = await database.query<{ id: number }>('select nextval($1) as id', [name]);
      return rows[0]?.id ?? 0;
    };
    const [user, device] = [await next('app_user_id_seq'), await next('device_id_seq')];
    expect(await transaction(database, raiseIds)).toBe(sequences.length);
    expect(await next('app_user_id_seq')).toBe(user + 2 ** 28 + 1);
    expect(await next('device_id_seq')).toBe(device + 2 ** 32 + 1);
    for (let n = 1; n < RESTORES; n++) await transaction(database, raiseIds);
    for (const { name } of sequences) expect(await next(name)).toBeLessThan(2 ** 53);
  });
});
