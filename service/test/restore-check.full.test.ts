/** A database that was lost and restored from a backup: what `restore-check` ensures. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServerDatabase, ownerUrl } from './support/databases.ts';
import { runCommandHere } from './support/run-command.ts';
import { type ServiceProcess, startService } from './support/service-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'edge-account-restore-'));
let env: Record<string, string>;
let service: ServiceProcess;
let client: { client_id: string; client_secret: string };

beforeAll(async () => {
  const url = await createServerDatabase();
  env = {
    DATABASE_URL: url,
    DATABASE_OWNER_URL: ownerUrl(url),
    MASTER_KEY: randomBytes(32).toString('hex'),
    CHALLENGE: 'off',
  };
  service = await startService(env);
  const created = await runCommandHere(['operator', 'create'], service.env);
  client = JSON.parse(created.stdout.slice(created.stdout.indexOf('{')));
});
afterAll(async () => {
  await service.dispose();
  rmSync(folder, { recursive: true, force: true });
});

async function query<R extends pg.QueryResultRow>(text: string): Promise<R[]> {
  const owner = new pg.Client({ connectionString: env.DATABASE_OWNER_URL });
  await owner.connect();
  try {
    return (await owner.query<R>(text)).rows;
  } finally {
    await owner.end();
  }
}

async function fetchToken(): Promise<string> {
  const answer = await fetch(`${service.baseUrl}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

async function pay(token: string, userId: number, key: string): Promise<number> {
  const answer = await fetch(`${service.baseUrl}/operator/rewards`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ user_id: userId, currency: 'EDGE', amount: 1, reward_type: 'BONUS' }),
  });
  await answer.text();
  return answer.status;
}

async function addUser(name: string): Promise<number> {
  const [row] = await query<{ id: string }>(
    `insert into app_user (email, email_key, nickname, password_hash, referral_code, created_at)
     values ('${name}@example.test', '${name}@example.test', '${name}', '', '${name}', now())
     returning id`,
  );
  return Number(row?.id);
}

const readLastPosition = async (): Promise<number> =>
  Number((await query<{ at: string }>('select last_position as at from event_counter'))[0]?.at);

async function copyDatabase(from: string, to: string): Promise<void> {
  const url = new URL(env.DATABASE_OWNER_URL ?? '');
  url.pathname = '/postgres';
  const admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
  await admin.query(`drop database if exists ${to}`);
  await admin.query(`create database ${to} template ${from} strategy file_copy`);
  await admin.end();
}

test('nothing that was lost is given away again, and the loss is counted', async () => {
  const name = new URL(env.DATABASE_URL ?? '').pathname.slice(1);
  const before = await addUser('before');
  expect(await pay(await fetchToken(), before, 'kept')).toBe(200);
  // Creates the key that signs.
  await runCommandHere(['ledger', 'head'], env);
  await service.stop();
  await copyDatabase(name, `${name}_backup`);

  await service.start();
  const lost = await addUser('lost');
  const token = await fetchToken();
  for (const key of ['lost-1', 'lost-2', 'lost-3']) expect(await pay(token, lost, key)).toBe(200);
  await expect.poll(readLastPosition).toBeGreaterThan(4);
  const lostPosition = await readLastPosition();
  const head = await runCommandHere(['ledger', 'head'], env);
  const kept = join(folder, 'head.json');
  writeFileSync(kept, head.stdout);
  expect(await runCommandHere(['restore-check'], env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('an instance is connected to this database'),
  });
  await service.stop();
  await copyDatabase(`${name}_backup`, name);

  const checked = await runCommandHere(['restore-check', '--heads', kept], env);
  expect(checked).toMatchObject({ code: 1, stderr: '' });
  expect(checked.stdout).toContain('knows 3 transfers, 0 steps of holds and 0 refusals');
  await service.start();
  expect(await pay(token, before, 'with-a-token-of-the-lost-part')).toBe(401);
  const after = await addUser('after');
  expect(after).toBeGreaterThan(lost);
  expect(await pay(await fetchToken(), after, 'lost-1')).toBe(200);
  await expect.poll(readLastPosition).toBeGreaterThan(lostPosition + 1);
  await service.stop();
  const { stdout } = await runCommandHere(['verify'], env);
  expect(stdout).toMatch(
    /2 transfers, 2 seals, 0 heads, from the first posting until \S+: everything/,
  );
  // Again, and without anything lost.
  expect(await runCommandHere(['restore-check'], env)).toMatchObject({ code: 0 });
});

test('a head of another ledger, and a role that is not the owner, are refused', async () => {
  const { body, ...rest } = JSON.parse((await runCommandHere(['ledger', 'head'], env)).stdout);
  const changed = join(folder, 'changed.json');
  writeFileSync(changed, JSON.stringify({ ...rest, body: body.replace('"day"', '"dax"') }));
  expect(await runCommandHere(['restore-check', '--heads', changed], env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not signed by this ledger'),
  });
  const { DATABASE_OWNER_URL: _, ...withoutOwner } = env;
  expect(await runCommandHere(['restore-check'], withoutOwner)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('set DATABASE_OWNER_URL'),
  });
});

test('a database from before its first signed head, and a file that is not there', async () => {
  const url = await createServerDatabase();
  const early = { ...env, DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl(url) };
  const readPosition = async (): Promise<unknown> => {
    const owner = new pg.Client({ connectionString: early.DATABASE_OWNER_URL });
    await owner.connect();
    const { rows } = await owner.query('select last_position from event_counter');
    await owner.end();
    return rows;
  };
  const before = await readPosition();
  const missing = await runCommandHere(['restore-check', '--heads', '/none.json'], early);
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be read') });
  expect(await readPosition()).toEqual(before);
  const kept = join(folder, 'head.json');
  const checked = await runCommandHere(['restore-check', '--heads', kept], early);
  expect(checked).toMatchObject({ code: 1, stderr: '' });
  expect(checked.stdout).toContain('from before its first signed head');
  expect(checked.stdout).toContain('knows 4 transfers, 0 steps of holds and 0 refusals');
  expect(await readPosition()).not.toEqual(before);
});
