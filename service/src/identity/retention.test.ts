import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { createIdentityServer, type IdentityServer } from '../../test/support/identity-server.ts';
import { type Database, deleteDueRows } from '../db/index.ts';
import { IDENTITY_RETENTION } from './retention.ts';

const DAY_MS = 86_400_000;

describe.each(RUN_ENGINES)('clean-up on %s', (engine) => {
  let database: Database;
  let server: IdentityServer;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    server = createIdentityServer(database);
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });

  test('deletes tickets and registrations after a day, sessions after a month', async () => {
    const person = await server.signIn(await server.register());
    await database.query(
      `insert into ticket (ticket_hash, purpose, email_key, tries_left, code_sends_left, created_at,
         expires_at)
       select 'old ' || n, 'login', 'x', 5, 5, $1, $1 from generate_series(1, 2500) n`,
      [server.clock.now()],
    );
    expect(await deleteDueRows(database, server.clock, IDENTITY_RETENTION)).toBe(0);
    server.clock.advance(DAY_MS + 601_000);
    expect(await deleteDueRows(database, server.clock, IDENTITY_RETENTION)).toBe(2503);
    expect(await deleteDueRows(database, server.clock, IDENTITY_RETENTION)).toBe(0);
    const { rows } = await database.query('select 1 from security_event where user_id = $1', [
      person.userId,
    ]);
    expect(rows).toHaveLength(2);
    server.clock.advance(31 * DAY_MS);
    expect(await deleteDueRows(database, server.clock, IDENTITY_RETENTION)).toBe(1);
    expect((await database.query('select 1 from user_session')).rows).toEqual([]);
    server.clock.advance(400 * DAY_MS);
    expect(await deleteDueRows(database, server.clock, IDENTITY_RETENTION)).toBe(2);
  });
});
