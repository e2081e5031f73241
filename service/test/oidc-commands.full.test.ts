/**
 * The registry of clients and the keys from the command line, and the state of a new installation.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openServer } from '../src/db/index.ts';
import { systemClock } from '../src/lib/clock.ts';
import { hashSecret } from '../src/lib/ids.ts';
import { createFirstOperator, findClient } from '../src/oidc/index.ts';
import { createCommandEnvironment, openTestDatabase } from './support/databases.ts';
import { runCommandHere } from './support/run-command.ts';
import { insertUser } from './support/test-users.ts';

describe('the command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'edge-account-commands-'));
  let env: Record<string, string>;
  beforeAll(async () => {
    env = await createCommandEnvironment();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCommandHere(args, env);
    return {
      code,
      stderr,
      json:
        stdout.trim().startsWith('{') || stdout.trim().startsWith('[')
          ? (JSON.parse(stdout) as Record<string, unknown>)
          : stdout,
    };
  };

  test('clients are created, listed, changed and removed; a secret is shown once', async () => {
    const created = await run(
      'clients',
      'create',
      '--id',
      'shop',
      '--name',
      'Shop',
      '--redirect-uri',
      'https://shop.test/cb',
      '--scope',
      'openid',
      '--grant',
      'authorization_code',
    );
    expect(created).toMatchObject({
      code: 0,
      json: {
        client_id: 'shop',
        type: 'confidential',
        client_secret: expect.stringMatching(/^[\w-]{43}$/),
      },
    });
    const listed = await run('clients', 'list');
    expect(JSON.stringify(listed.json)).toContain('"shop"');
    expect(JSON.stringify(listed.json)).not.toContain('secret');
    expect(await run('clients', 'update', 'shop', '--disable')).toMatchObject({
      json: { enabled: false },
    });
    for (const nothing of [
      ['update', 'shop'],
      ['create', '--name', 'None'],
    ])
      expect(await run('clients', ...nothing)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('clients create'),
      });
    const secret = await run('clients', 'secret', 'shop');
    expect(secret.json).toMatchObject({
      client_secret: expect.not.stringMatching(
        String((created.json as { client_secret: string }).client_secret),
      ),
    });
    expect(await run('clients', 'delete', 'shop')).toMatchObject({ json: { deleted: true } });
    expect(await run('clients', 'delete', 'shop')).toMatchObject({
      code: 1,
      stderr: expect.not.stringContaining('    at '),
    });
  });

  test('the client of an operator is written to a file that only its owner reads', async () => {
    const file = join(folder, 'business.json');
    const { code, json } = await run(
      'operator',
      'create',
      '--scope',
      'operator:ledger',
      '--out',
      file,
    );
    expect({ code, json: String(json).trim() }).toEqual({ code: 0, json: file });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const written = readFileSync(file, 'utf8');
    expect(JSON.parse(written)).toEqual({
      client_id: expect.any(String),
      client_secret: expect.any(String),
    });
    const again = await run('operator', 'create', '--out', file);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('is there already') });
    expect(readFileSync(file, 'utf8')).toBe(written);
    expect(await run('operator', 'grant', 'unknown@example.test')).toMatchObject({ code: 1 });
    expect(await run('operator')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('operator create'),
    });
  });

  test('a user becomes an operator, and stops being one', async () => {
    const database = await openServer({
      url: env.DATABASE_URL ?? '',
      poolSize: 1,
      onError: () => {},
    });
    const email = 'hopper@example.test';
    await insertUser(database, { email });
    await database.close();
    expect(await run('operator', 'grant', email, '--scope', 'operator:ledger')).toMatchObject({
      code: 0,
      json: `${email} may act as an operator: operator:ledger\n`,
    });
    expect(await run('operator', 'grant', email, '--scope', 'operator:nothing')).toMatchObject({
      code: 1,
    });
    expect(await run('operator', 'grant', email, '--role', 'support')).toMatchObject({
      code: 0,
      json: `${email} may act as an operator: role:support (operator:read operator:users)\n`,
    });
    expect(await run('operator', 'grant', email, '--role', 'owner')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('unknown role:owner; known: role:viewer, role:support, '),
    });
    expect(await run('operator', 'revoke', email)).toMatchObject({
      code: 0,
      json: `${email} is no operator any more\n`,
    });
  });

  test('keys are listed, rotated after a day of publication, dropped in an emergency', async () => {
    expect((await run('keys', 'rotate')).json).toContain('it has to be published for 24 h first');
    const before = (await runCommandHere(['keys', 'list'], env)).stdout;
    expect((await run('keys', 'emergency')).json).toMatch(/^dropped [\w-]{43}/);
    const { stdout } = await runCommandHere(['keys', 'list'], env);
    expect(stdout).not.toBe(before);
    expect(stdout.trim().split('\n')).toHaveLength(2);
    expect(stdout).not.toContain('"d"');
  });
});

describe('operator.json', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'edge-account-operator-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('a start completes what a process killed between file and database left', async () => {
    const path = join(folder, 'operator.json');
    // The first start wrote the file, and was killed before it committed: its database has no
    // client.
    const dead = await openTestDatabase('embedded');
    expect(await createFirstOperator(dead, systemClock, folder)).toBe(path);
    await dead.close();
    const file = JSON.parse(readFileSync(path, 'utf8')) as {
      client_id: string;
      client_secret: string;
    };
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const database = await openTestDatabase('embedded');
    await createFirstOperator(database, systemClock, folder);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(file);
    expect((await findClient(database, file.client_id))?.secretHash).toBe(
      hashSecret(file.client_secret),
    );
    // Later starts change nothing, though the operator has moved the file.
    rmSync(path);
    expect(await createFirstOperator(database, systemClock, folder)).toBeUndefined();
    expect(existsSync(path)).toBe(false);
    await database.close();
  });
});
