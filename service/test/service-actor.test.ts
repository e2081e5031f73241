/** What the service does by itself is in the audit log under its name, and not as by hand. */
import { expect, test } from 'vitest';
import { createApp } from '../src/app.ts';
import { sealEntries, verifyAudit } from '../src/audit/index.ts';
import { openTestDatabase, RUN_ENGINES } from './support/databases.ts';
import { testConfig, testMasterKey } from './support/test-config.ts';

test.each(RUN_ENGINES)('the start of the service on %s names itself', async (engine) => {
  const database = await openTestDatabase(engine);
  const { rows: before } = await database.query<{ id: number }>(
    'select coalesce(max(id), 0) as id from audit_entry',
  );
  const config = testConfig({ REWARD_CURRENCY: 'STARTED' });
  const app = await createApp({ config, database, masterKey: testMasterKey });
  await app.start();
  const { rows } = await database.query<object>(
    `select actor_kind, actor_id, operation, subject_kind, subject_id from audit_entry
     where id > $1 order by id`,
    [before[0]?.id],
  );
  const start = { actor_kind: 'service', actor_id: 'start', operation: 'insert' };
  expect(rows[0]).toEqual({ ...start, subject_kind: 'currencies', subject_id: 'STARTED' });
  expect(rows.slice(1).length).toBeGreaterThan(0);
  for (const row of rows.slice(1)) expect(row).toMatchObject({ ...start, subject_kind: 'clients' });
  await sealEntries(database);
  expect((await verifyAudit(database)).problems).toEqual([]);
  await app.stop();
  await database.close();
});
