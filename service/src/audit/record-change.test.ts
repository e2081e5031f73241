import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import type { Database } from '../db/index.ts';

describe.each(ENGINES)('the entry of a version that is changed by hand, on %s', (engine) => {
  let database: Database;
  let last = 0;

  const run = (text: string): Promise<unknown> => database.query(text);
  /** Entries since the call before, oldest first. */
  const readNew = async (): Promise<object[]> => {
    const { rows } = await database.query<{ id: number; before: object; after: object }>(
      `select id, operation, subject_kind, subject_id, before, after from audit_entry
       where id > $1 order by id`,
      [last],
    );
    last = rows.at(-1)?.id ?? last;
    return rows.map(({ id: _, ...entry }) => entry);
  };

  beforeAll(async () => {
    database = await openTestDatabase(engine, { isOwner: true });
    await run(
      `insert into reward_rules (version, body, body_hash, created_by, created_at)
       overriding system value
       values (101, '{}', '', 'test', now()), (102, '{}', '', 'test', now())`,
    );
    await readNew();
  });
  afterAll(() => database.close());

  test('of the payout policy has the values of that version', async () => {
    const add = (version: number): Promise<unknown> =>
      run(`insert into payout_policy (version, policy, created_by, created_at)
        values (${version}, '{"age": ${version}}', 'test', '2026-11-10T12:00:00Z')`);
    await add(1);
    await add(2);
    expect((await readNew()).at(-1)).toMatchObject({
      ...{ operation: 'insert', subject_kind: 'payout-policy' },
      ...{ before: { policy: { age: 1 } }, after: { policy: { age: 2 } } },
    });
    await run(`update payout_policy set policy = '{"age": 9}' where version = 2`);
    expect(await readNew()).toMatchObject([
      { operation: 'update', before: { policy: { age: 2 } }, after: { policy: { age: 9 } } },
    ]);
    await run('delete from payout_policy where version = 2');
    expect(await readNew()).toMatchObject([
      { operation: 'delete', before: { version: 2, policy: { age: 9 } }, after: null },
    ]);
  });

  test('of the active reward rules has the values of that activation', async () => {
    for (const [hour, version] of [
      [10, 101],
      [11, 102],
    ])
      await run(`insert into reward_activation (hour, version, activated_by, activated_at)
        values ('2026-11-10T${hour}:00:00Z', ${version}, 'test', now())`);
    expect((await readNew()).at(-1)).toMatchObject({
      ...{ operation: 'insert', subject_kind: 'rules', subject_id: '102' },
      ...{ before: { version: 101 }, after: { version: 102 } },
    });
    await run(`update reward_activation set version = 101 where version = 102`);
    expect(await readNew()).toEqual([
      {
        ...{ operation: 'update', subject_kind: 'rules', subject_id: '101' },
        ...{ before: { version: 102 }, after: { version: 101 } },
      },
    ]);
    await run(`delete from reward_activation where hour = '2026-11-10T11:00:00Z'`);
    expect(await readNew()).toMatchObject([
      { operation: 'delete', before: { version: 101 }, after: null },
    ]);
  });
});
