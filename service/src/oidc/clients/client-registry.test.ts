/** A client can be used immediately after it was written, at any instance. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../../test/support/databases.ts';
import type { Database } from '../../db/index.ts';
import { systemClock } from '../../lib/clock.ts';
import { createClientRegistry } from './client-registry.ts';
import { deleteClient } from './remove-clients.ts';
import { createClient, updateClient } from './write-clients.ts';

const FIELDS = {
  name: 'New',
  isPublic: true,
  isFirstParty: false,
  redirectUris: ['https://new.test/cb'],
  scopes: ['openid'],
  grantTypes: ['authorization_code'] as const,
};

/** The same database, counting the statements that are sent to it. */
function counted(database: Database): { database: Database; statements: () => number } {
  let statements = 0;
  const query: Database['query'] = (text, values) => {
    statements++;
    return database.query(text, values);
  };
  return { database: { ...database, query }, statements: () => statements };
}

describe.each(RUN_ENGINES)('the clients in memory on %s', (engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterAll(() => database.close());

  test('the instance that writes a client knows it immediately', async () => {
    const registry = createClientRegistry(database);
    await registry.start();
    expect(await registry.isOrigin('https://new.test')).toBe(false);
    await createClient(database, systemClock, { ...FIELDS, clientId: 'own' });
    expect(await registry.isOrigin('https://new.test')).toBe(true);
    await updateClient(database, systemClock, 'own', { name: 'Changed' });
    expect(await registry.find('own')).toMatchObject({ name: 'Changed' });
    await updateClient(database, systemClock, 'own', { isEnabled: false });
    expect(await registry.find('own')).toBeUndefined();
    await updateClient(database, systemClock, 'own', { isEnabled: true });
    expect(await registry.find('own')).toBeDefined();
    await deleteClient(database, systemClock, 'own');
    expect(await registry.find('own')).toBeUndefined();
  });

  test('an instance that has not received a client yet finds it', async () => {
    const deaf = createClientRegistry(database);
    expect(await deaf.find('beside')).toBeUndefined();
    await createClient(database, systemClock, {
      ...FIELDS,
      clientId: 'beside',
      redirectUris: ['https://beside.test/cb'],
    });
    expect(await deaf.find('beside')).toMatchObject({ clientId: 'beside' });
    expect(await deaf.isOrigin('https://beside.test')).toBe(true);
    await updateClient(database, systemClock, 'beside', { isEnabled: false });
    expect(await createClientRegistry(database).find('beside')).toBeUndefined();
  });

  test('a flood of unknown names costs a statement per hundred, invalid ones none', async () => {
    const { database: watched, statements } = counted(database);
    const registry = createClientRegistry(watched);
    await registry.isOrigin('https://unknown.test');
    const before = statements();
    const found = await Promise.all(
      Array.from({ length: 1000 }, (_, i) => registry.find(`unknown ${i}`)),
    );
    expect(found.filter((client) => client !== undefined)).toEqual([]);
    expect(statements() - before).toBe(10);
    expect(await registry.find('no\0body')).toBeUndefined();
    expect(statements() - before).toBe(10);
  });
});
