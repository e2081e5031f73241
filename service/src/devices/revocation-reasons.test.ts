import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { insertDevice } from '../../test/support/test-devices.ts';
import { insertUser } from '../../test/support/test-users.ts';
import type { Database } from '../db/index.ts';

const MIGRATION = new URL('../../migrations/0018_device_cut_reasons.sql', import.meta.url);

describe.each(RUN_ENGINES)('reasons stored before migration 0018, on %s', (engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterAll(() => database.close());

  test('become codes', async () => {
    const userId = await insertUser(database);
    const reasons = [
      'disconnected by you',
      'deleted by you',
      'deleted by the holder of the key that this node is named after',
      null,
    ];
    const ids: number[] = [];
    for (const reason of reasons) {
      const { deviceId } = await insertDevice(database, userId);
      ids.push(deviceId);
      await database.query(
        `update device set cut = case when $2::text is not null then 'deleted' end,
           cut_reason = $2, cut_at = now() where id = $1`,
        [deviceId, reason],
      );
    }
    await database.query(readFileSync(MIGRATION, 'utf8'));
    const { rows } = await database.query<{ cut_reason: string | null }>(
      'select cut_reason from device where id = any($1::bigint[]) order by id',
      [ids],
    );
    expect(rows.map(({ cut_reason }) => cut_reason)).toEqual([
      ...['owner', 'owner', 'key_holder', null],
    ]);
  });
});
