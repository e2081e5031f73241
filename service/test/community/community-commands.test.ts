import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rollUp } from '../../src/community/index.ts';
import { type Database, openServer } from '../../src/db/index.ts';
import { createServerDatabase } from '../support/databases.ts';
import { runCommandHere } from '../support/run-command.ts';
import { enqueueJoins, insertPeople } from './tree-oracle.ts';

let database: Database;
let env: Record<string, string>;

beforeAll(async () => {
  const url = await createServerDatabase({ isOwner: true });
  database = await openServer({ url, poolSize: 2, onError: () => {} });
  env = { DATABASE_URL: url, MASTER_KEY: randomBytes(32).toString('hex') };
  await insertPeople(database, 1500, (i) => i - 1);
  await enqueueJoins(database);
  await rollUp(database);
});
afterAll(() => database.close());

test('verify names a wrong figure, and rebuild corrects it', async () => {
  const good = await runCommandHere(['verify'], env);
  expect(good).toMatchObject({ code: 0 });
  expect(good.stdout).toMatch(/1500 members, \d+ lists: as recomputed/);
  await database.query('update community_stats set downline_count = 7 where user_id = 3');
  const bad = await runCommandHere(['verify'], env);
  expect(bad).toMatchObject({ code: 1 });
  expect(bad.stdout).toContain('community: user 3: downline count is 7, not 1497');
  const json = await runCommandHere(['verify', '--json'], env);
  expect(JSON.parse(json.stdout)).toMatchObject({
    community: { members: 1500, problems: ['user 3: downline count is 7, not 1497'] },
  });
  expect(await runCommandHere(['community', 'rebuild'], env)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1500 members'),
  });
  expect(await runCommandHere(['verify'], env)).toMatchObject({ code: 0 });
  expect(await runCommandHere(['community'], env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('edge-account community rebuild'),
  });
});
