import { expect, test } from 'vitest';
import { openTestDatabase } from '../../test/support/databases.ts';
import { testConfig, testMasterKey } from '../../test/support/test-config.ts';
import { createApp } from '../app.ts';
import { createManualClock } from '../lib/clock.ts';

const clock = createManualClock('2026-11-20T10:00:00Z');

test('an instance starts once it has recorded how long its tokens live', async () => {
  const database = await openTestDatabase('server');
  const start = async (LOGIN_TOKEN_TTL: string): Promise<void> => {
    const config = testConfig({ LOGIN_TOKEN_TTL });
    const app = await createApp({ config, database, masterKey: testMasterKey, clock });
    await app.start().finally(() => app.stop());
  };
  const read = async (): Promise<unknown[]> =>
    (await database.query('select lifetime_s, last_used_at from token_lifetime order by 1')).rows;
  // A server's token lives an hour even where those of a login are shorter.
  await start('60');
  const hour = { lifetime_s: 3600, last_used_at: clock.now() };
  expect(await read()).toEqual([hour]);
  await start('86400');
  expect(await read()).toEqual([hour, { ...hour, lifetime_s: 86_400 }]);
  const { prepared } = database;
  const failing = async (name: string, ...rest: [string, unknown[]?]) => {
    if (name === 'record-token-lifetime') throw new Error('read only');
    return prepared.call(database, name, ...rest);
  };
  Object.assign(database, { prepared: failing });
  await expect(start('60')).rejects.toThrow('read only');
  Object.assign(database, { prepared });
  await database.close();
});
