import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import {
  type Database,
  isUniqueViolation,
  migrate,
  savepoint,
  type Transaction,
  transaction,
} from './index.ts';
import { readMigrations } from './migrations.ts';

describe.each(ENGINES)('database on %s', (engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(engine, { isOwner: true });
    await database.query(
      'create table probe (id int constraint probe_pkey primary key, amount numeric(78,0))',
    );
  });
  afterAll(() => database.close());

  test('rolls back what failed and commits the rest', async () => {
    const after: string[] = [];
    await expect(
      transaction(database, async (tx) => {
        tx.afterCommit(() => after.push('never'));
        await tx.query('insert into probe values (1, 1)');
        throw new Error('stop');
      }),
    ).rejects.toThrow('stop');
    await transaction(database, async (tx) => {
      tx.afterCommit(() => after.push('committed'));
      await tx.query('insert into probe values (2, $1)', [(10n ** 77n).toString()]);
    });
    const { rows } = await database.query<{ id: number; amount: string }>('select * from probe');
    expect(rows).toEqual([{ id: 2, amount: (10n ** 77n).toString() }]);
    expect(after).toEqual(['committed']);
  });

  test('a savepoint undoes only itself', async () => {
    await transaction(database, async (tx) => {
      await tx.query('insert into probe values (10, 1)');
      const error: unknown = await savepoint(tx, () =>
        tx.query('insert into probe values (10, 2)'),
      ).catch((reason: unknown) => reason);
      expect(isUniqueViolation(error, 'probe_pkey')).toBe(true);
      await tx.query('insert into probe values (11, 1)');
    });
    expect((await database.query('select 1 from probe where id in (10, 11)')).rowCount).toBe(2);
  });

  test('pipelined statements run in order; one failure rolls back all of them', async () => {
    const id = (n: number) => `insert into probe values (${n}, 1)`;
    const failing = transaction(database, async (tx) => {
      const sent = [id(20), 'select 1/0', id(21), id(22)].map((text) => tx.query(text));
      await Promise.all(sent);
    });
    const next = transaction(database, async (tx) => {
      await Promise.all([tx.query(id(23)), tx.query('update probe set amount = 2 where id = 23')]);
      throw new Error('stop');
    });
    // Together: either may fail first.
    await Promise.all([
      expect(failing).rejects.toThrow('division by zero'),
      expect(next).rejects.toThrow('stop'),
    ]);
    await transaction(database, async (tx) => {
      await Promise.all([tx.query(id(24)), tx.query('update probe set amount = 2 where id = 24')]);
    });
    const { rows } = await database.query<{ id: number }>(
      'select id, amount from probe where id between 20 and 29',
    );
    expect(rows).toEqual([{ id: 24, amount: '2' }]);
  });

  test('a failed statement without a handler fails the transaction', async () => {
    const after: string[] = [];
    const heedless = transaction(database, async (tx) => {
      tx.afterCommit(() => after.push('never'));
      await tx.query('insert into probe values (50, 1)');
      await tx.query('select 1/0').catch(() => {});
    });
    await expect(heedless).rejects.toThrow('the transaction was rolled back');
    expect((await database.query('select 1 from probe where id = 50')).rowCount).toBe(0);
    expect(after).toEqual([]);
  });

  test('survives failing statements in and out of transactions', async () => {
    const work = Array.from({ length: 60 }, async (_, i) => {
      if (i % 3 === 0) return expect(database.query('select nonsense')).rejects.toThrow();
      if (i % 3 === 1)
        return expect(transaction(database, async (tx) => tx.query('select 1/0'))).rejects.toThrow(
          'division by zero',
        );
      expect((await database.query<{ n: number }>('select $1::int as n', [i])).rows[0]?.n).toBe(i);
    });
    await Promise.all(work);
  });

  test('a transaction without statements ends, and one with a late statement too', async () => {
    expect(await transaction(database, async () => 'nothing')).toBe('nothing');
    const late = await transaction(database, async (tx) => {
      await new Promise(setImmediate);
      return (await tx.query<{ one: number }>('select 1 as one')).rows[0]?.one;
    });
    expect(late).toBe(1);
  });

  // The embedded database has no connection to lose.
  if (engine === 'server')
    test('a lost connection fails only its own transaction', async () => {
      const kill = (pid: number) => database.query('select pg_terminate_backend($1)', [pid]);
      const backend = async (tx: Transaction): Promise<number> =>
        (await tx.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0;
      const inStatement = transaction(database, async (tx) => {
        await tx.query('insert into probe values (30, 1)');
        const pid = await backend(tx);
        // Together: either may be answered first.
        await Promise.all([tx.query('select pg_sleep(30)'), kill(pid)]);
      });
      await expect(inStatement).rejects.toMatchObject({ code: '57P01' });
      const between = transaction(database, async (tx) => {
        await tx.query('insert into probe values (31, 1)');
        const pid = await backend(tx);
        await kill(pid);
        // The driver detects it while no statement is running.
        await expect
          .poll(
            async () =>
              (await database.query('select 1 from pg_stat_activity where pid = $1', [pid]))
                .rowCount,
          )
          .toBe(0);
        await tx.query('insert into probe values (32, 1)');
      });
      await expect(between).rejects.toThrow(
        /^(terminating connection|Connection terminated|Client has encountered a connection error)/,
      );
      const { rows } = await database.query<{ n: number }>(
        'select count(*) as n from probe where id between 30 and 39',
      );
      expect(rows[0]?.n).toBe(0);
    });

  test('delivers notifications', async () => {
    const received = new Promise<string>(
      (resolve) =>
        void database
          .listen('probe_channel', resolve)
          .then(() => database.query("select pg_notify('probe_channel', 'hello')")),
    );
    expect(await received).toBe('hello');
  });

  test('migrating again changes nothing', async () => {
    expect(await migrate(database)).toEqual([]);
  });

  test('migrating analyzes small tables that have rows', async () => {
    const rowsKnown = async (table: string): Promise<unknown> =>
      (
        await database.query('select reltuples from pg_class where oid = $1::text::regclass', [
          table,
        ])
      ).rows[0]?.reltuples;
    await database.query('create table small as select 1 as id');
    expect(await rowsKnown('small')).toBe(-1);
    await migrate(database);
    expect(await rowsKnown('small')).toBe(1);
    expect(await rowsKnown('currency')).toBe(3);
  });

  if (engine === 'server')
    test('no statement is JIT-compiled, on a connection of the pool or another', async () => {
      expect((await database.query('show jit')).rows).toEqual([{ jit: 'off' }]);
      await migrate(database);
      const url = new URL(inject('postgresUrl'));
      url.pathname = `/${
        (
          await database.query<{ name: string }>(`select
        current_database() as name`)
        ).rows[0]?.name
      }`;
      const other = new pg.Client({ connectionString: url.href });
      await other.connect();
      expect((await other.query('show jit')).rows).toEqual([{ jit: 'off' }]);
      await other.end();
    });

  if (engine === 'server')
    test('a migration may exceed a request', async () => {
      await database.query('create table seen (timeout text not null)');
      await database.query(
        `create function note_timeout() returns event_trigger language plpgsql as $$ begin insert
          into seen values (current_setting('statement_timeout')); end $$`,
      );
      await database.query(
        `create event trigger note_timeout on ddl_command_start when tag in ('CREATE TABLE') execute
          function note_timeout()`,
      );
      const sql = 'create table slow (id int)';
      const slow = { name: '9001_slow', files: [{ path: '9001_slow.sql', sql }], checksum: '' };
      await migrate(database, [...readMigrations(), slow]);
      await database.query('drop event trigger note_timeout');
      const { rows } = await database.query(
        "select timeout, current_setting('statement_timeout') as later from seen",
      );
      expect(rows).toEqual([{ timeout: '0', later: '1min' }]);
    });
});
