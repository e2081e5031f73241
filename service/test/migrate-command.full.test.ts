import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { createEmptyServerDatabase } from './support/databases.ts';
import { APPLICATION_ROLE } from './support/postgres-server.ts';
import { runCommandHere } from './support/run-command.ts';
import { runCommand, startService } from './support/service-process.ts';

let env: Record<string, string>;
beforeAll(async () => {
  const owner = await createEmptyServerDatabase();
  const application = new URL(owner);
  application.username = APPLICATION_ROLE;
  env = {
    DATABASE_URL: application.href,
    DATABASE_OWNER_URL: owner,
    MASTER_KEY: randomBytes(32).toString('hex'),
  };
});

test('instances and commands do not migrate: they name the migration that is missing', async () => {
  const missing = {
    code: 1,
    stderr: expect.stringMatching(/lacks migration 0001_baseline: run `edge-account migrate`/),
  };
  expect(await runCommandHere(['clients', 'list'], env)).toMatchObject(missing);
  expect(await runCommandHere(['keys', 'list'], env)).toMatchObject(missing);
  expect(await runCommand(['serve'], env)).toMatchObject(missing);
});

test('an unfit role is refused in a sentence, after the migrations', async () => {
  const migrate = (role: string) => runCommandHere(['migrate', '--application-role', role], env);
  expect(await migrate('edge_missing')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/edge_missing cannot be an application role: it does not exist/),
  });
  expect(await migrate('postgres')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/postgres cannot be an application role: it is a superuser/),
  });
});

test('the owner migrates, and an instance serves with the application role alone', async () => {
  const migrated = { code: 0, stdout: 'The database is up to date.\n' };
  for (const args of [['migrate', '--application-role', APPLICATION_ROLE], ['migrate']])
    expect(await runCommandHere(args, env)).toMatchObject(migrated);
  const { DATABASE_OWNER_URL: _, ...withoutOwner } = env;
  const service = await startService(withoutOwner);
  try {
    const answer = await fetch(`${service.baseUrl}/readyz`);
    expect(answer.status).toBe(200);
    const created = await runCommandHere(['operator', 'create'], service.env);
    expect(created).toMatchObject({ code: 0 });
    expect(await runCommandHere(['verify'], withoutOwner)).toMatchObject({ code: 0 });
    expect(await runCommandHere(['community', 'rebuild'], withoutOwner)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('set DATABASE_OWNER_URL'),
    });
    expect(await runCommandHere(['community', 'rebuild'], env)).toMatchObject({ code: 0 });
  } finally {
    await service.dispose();
  }
});
