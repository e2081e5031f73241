/** A removed client is out of use at once, however many consents it has. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../../test/support/databases.ts';
import { testConfig } from '../../../test/support/test-config.ts';
import { insertUser } from '../../../test/support/test-users.ts';
import { LONGEST_GRANT_S } from '../../config-schema.ts';
import { type Database, transaction } from '../../db/index.ts';
import { createManualClock } from '../../lib/clock.ts';
import { listConnections } from '../consent/queries.ts';
import { revokeApplication } from '../consent/revoke-application.ts';
import { findClient, listClients, listClientsPage } from './queries.ts';
import { createClientRemoval, deleteClient, removeClients } from './remove-clients.ts';
import { createClient, updateClient } from './write-clients.ts';

/** More than a transaction deletes. */
const MANY = 5003;
const NOT_FOUND = { code: 'not_found' };
const CHILDREN = ['consent', 'application_session', 'logout_notice'];

describe.each(RUN_ENGINES)('removed clients on %s', (engine) => {
  const clock = createManualClock('2026-05-01T12:00:00Z');
  let database: Database;

  beforeEach(async () => {
    database = await openTestDatabase(engine, { isOwner: true });
    await register('shop');
  });
  afterEach(() => database.close());

  function register(clientId: string) {
    return createClient(database, clock, {
      ...{ clientId, name: 'Shop', isPublic: true, isFirstParty: false },
      ...{ redirectUris: ['https://shop.test/cb'], scopes: ['openid'] },
      grantTypes: ['authorization_code'],
    });
  }

  /** Consents, sessions and logout tokens of a client; users need not exist. */
  async function use(clientId: string, users: number): Promise<void> {
    await transaction(database, async (tx) => {
      await tx.query('set local session_replication_role = replica');
      for (const statement of [
        `insert into consent (user_id, client_id, scopes, is_remembered, created_at, updated_at)
          select 1000000 + n, $1, '{openid}', true, $2, $2 from generate_series(1, $3::int) n`,
        `insert into application_session (sid, client_id, expires_at)
          select 'sid ' || n, $1, $2 from generate_series(1, $3::int) n`,
        `insert into logout_notice (client_id, user_id, sid, created_at)
          select $1, n, 'sid ' || n, $2 from generate_series(1, $3::int) n`,
      ])
        await tx.query(statement, [clientId, clock.now(), users]);
    });
  }

  async function countOf(clientId: string): Promise<number[]> {
    const counts = CHILDREN.map(async (table) => {
      const { rows } = await database.query<{ n: number }>(
        `select count(*)::int as n from ${table} where client_id = $1`,
        [clientId],
      );
      return rows[0]?.n ?? 0;
    });
    return Promise.all(counts);
  }

  async function isStored(clientId: string): Promise<boolean> {
    const sql = 'select from oauth_client where client_id = $1';
    return (await database.query(sql, [clientId])).rowCount > 0;
  }

  test('one with few consents is deleted with them, and its id is free', async () => {
    await register('other');
    await use('shop', 30);
    await use('other', 3);
    await deleteClient(database, clock, 'shop');
    expect(await countOf('shop')).toEqual([0, 0, 0]);
    expect(await isStored('shop')).toBe(false);
    expect(await countOf('other')).toEqual([3, 3, 3]);
    await register('shop');
    await expect(deleteClient(database, clock, 'none')).rejects.toMatchObject(NOT_FOUND);
  });

  test('one with many is not found any more, and the job deletes the rest', async () => {
    await register('other');
    await use('shop', MANY);
    await use('other', 3);
    const userId = await insertUser(database);
    await database.query(
      `insert into consent (user_id, client_id, scopes, is_remembered, created_at, updated_at)
        select $1, client_id, '{openid}', true, $2, $2 from oauth_client`,
      [userId, clock.now()],
    );
    const job = createClientRemoval(database);
    expect(await job.hasWork?.()).toBe(false);
    await deleteClient(database, clock, 'shop');
    expect(await job.hasWork?.()).toBe(true);
    expect(await isStored('shop')).toBe(true);
    expect(await findClient(database, 'shop')).toBeUndefined();
    expect((await listClients(database)).map(({ clientId }) => clientId)).toEqual(['other']);
    expect(await listClientsPage(database, { current: 1, size: 9 })).toMatchObject({
      ...{ total: 1, clients: [{ clientId: 'other' }] },
    });
    const connections = await listConnections(database, userId);
    expect(connections.map(({ clientId }) => clientId)).toEqual(['other']);
    const origin = { ip: '', userAgent: '', language: 'en' } as const;
    expect(await revokeApplication(database, clock, { userId, clientId: 'shop', origin })).toBe(
      false,
    );
    await expect(deleteClient(database, clock, 'shop')).rejects.toMatchObject(NOT_FOUND);
    const enable = updateClient(database, clock, 'shop', { isEnabled: true });
    await expect(enable).rejects.toMatchObject(NOT_FOUND);
    await expect(register('shop')).rejects.toMatchObject({ code: 'client_exists' });
    await removeClients({ database, batchSize: 2 });
    expect(await isStored('shop')).toBe(false);
    expect(await countOf('shop')).toEqual([0, 0, 0]);
    expect(await countOf('other')).toEqual([4, 3, 3]);
    expect(await job.hasWork?.()).toBe(false);
    await register('shop');
  });

  test('no batch reads again what is deleted, nor a table that has no more', async () => {
    await use('shop', 5);
    await database.query('delete from logout_notice');
    await database.query("delete from application_session where sid > 'sid 1'");
    await database.query('update oauth_client set is_enabled = false, removed_at = $1', [
      clock.now(),
    ]);
    await database.query('create table batches (of_table text)');
    await database.query(`create function note_batch() returns trigger language plpgsql as $$
      begin insert into batches values (tg_table_name); return null; end $$`);
    for (const table of CHILDREN)
      await database.query(`create trigger batch after delete on ${table} execute function
        note_batch()`);
    // Behind the place where the next batch begins: it goes with the client.
    await database.query(`create function consent_again() returns trigger language plpgsql as $$
      begin
        set local session_replication_role = replica;
        insert into consent values (999999, 'shop', '{}', true, now(), now());
        set local session_replication_role = origin;
        return null;
      end $$`);
    await database.query(`create trigger again after delete on consent for each row
      when (old.user_id = 1000003) execute function consent_again()`);
    await removeClients({ database, batchSize: 2 });
    expect(await isStored('shop')).toBe(false);
    expect(await countOf('shop')).toEqual([0, 0, 0]);
    const { rows } = await database.query<{ table: string; n: number }>(
      'select of_table as table, count(*)::int as n from batches group by 1',
    );
    // The last one of each is that of the client.
    expect(Object.fromEntries(rows.map(({ table, n }) => [table, n]))).toEqual({
      ...{ consent: 3 + 1, application_session: 1 + 1, logout_notice: 1 + 1 },
    });
  });

  test('the job ends with its instance, and continues', async () => {
    await use('shop', MANY + 20);
    await deleteClient(database, clock, 'shop');
    const ending = new AbortController();
    const interrupted: Database = {
      ...database,
      async prepared(name, ...statement) {
        const result = await database.prepared(name, ...statement);
        if (name === 'clients-find-removed') ending.abort();
        return result as never;
      },
    };
    await removeClients({ database: interrupted, signal: ending.signal });
    expect(await countOf('shop')).toEqual([23, 23, 23]);
    await createClientRemoval(database).run(new AbortController().signal);
    expect(await isStored('shop')).toBe(false);
  });

  test('a client that gets the id accepts no grant of the former one, however old', async () => {
    const validAfter = async () => {
      const { rows } = await database.query<{ at: Date | null }>(
        "select grants_valid_after as at from oauth_client where client_id = 'shop'",
      );
      return rows[0]?.at;
    };
    expect(await validAfter()).toBeNull();
    await deleteClient(database, clock, 'shop');
    clock.advance(LONGEST_GRANT_S * 1000);
    const { rows } = await database.query<{ until: Date }>(
      "select until from token_revocation where kind = 'client' and value = 'shop'",
    );
    expect(rows[0]?.until.getTime()).toBeGreaterThan(clock.now().getTime());
    await register('shop');
    expect(await validAfter()).toEqual(clock.now());
    const limit = (seconds: number) => testConfig({ REFRESH_TOKEN_MAX_TTL: String(seconds) });
    expect(limit(LONGEST_GRANT_S).REFRESH_TOKEN_MAX_TTL).toBe(LONGEST_GRANT_S);
    expect(() => limit(LONGEST_GRANT_S + 1)).toThrow('REFRESH_TOKEN_MAX_TTL');
  });
});
