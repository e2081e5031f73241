import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom, insertPeople } from '../../test/community/tree-oracle.ts';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { insertPurchase } from '../../test/support/test-purchases.ts';
import { type Database, transaction } from '../db/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { addImportedMembers, rollUpImported } from './import-members.ts';
import { verifyCommunity } from './verify-community.ts';

const PEOPLE = 5000;
const random = createRandom(11);
const clock = createManualClock('2026-03-01T00:00:00Z');

describe.each(RUN_ENGINES)('members of an import on %s', (engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(engine, { isOwner: true });
  });
  afterAll(() => database.close());

  async function importPeople(count: number): Promise<number[]> {
    const parentOf = (i: number) => (i < 40 ? i - 1 : random(i));
    const ids = await insertPeople(database, count, parentOf, '2026-01-01');
    await transaction(database, (tx) => addImportedMembers(tx, ids));
    return ids;
  }
  const epoch = async (): Promise<number> => {
    const { rows } = await database.query<{ epoch: number }>('select epoch from community_state');
    return rows[0]?.epoch ?? -1;
  };

  test('many members rebuild the tree, few are rolled up, with equal figures', async () => {
    const ids = await importPeople(PEOPLE);
    const before = await epoch();
    await rollUpImported(database);
    expect(await epoch()).toBe(before + 1);
    const rebuilt = await verifyCommunity(database);
    expect(rebuilt).toMatchObject({ members: PEOPLE, problems: [] });
    expect(rebuilt.lists).toBeGreaterThan(0);

    await insertPurchase(database, clock, ids[PEOPLE - 1] ?? 0, 7n);
    await importPeople(30);
    await rollUpImported(database);
    expect(await epoch()).toBe(before + 1);
    expect(await verifyCommunity(database)).toMatchObject({ members: PEOPLE + 30, problems: [] });
  });
});
