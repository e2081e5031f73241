/** `edge-account backup` and `operator` beside a running service on the embedded database. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LivePerson, signUp } from './support/live-person.ts';
import { runCommand, type ServiceProcess, startService } from './support/service-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'edge-account-backup-'));
const backup = join(folder, 'copy');
const ENV = { CHALLENGE: 'off' };
let service: ServiceProcess;
let person: LivePerson;

beforeAll(async () => {
  service = await startService(ENV);
  person = await signUp(service.baseUrl);
}, 120_000);
afterAll(async () => {
  await service.dispose();
  rmSync(folder, { recursive: true, force: true });
});

async function fetchToken({ baseUrl, dataDir }: ServiceProcess): Promise<string> {
  const file = readFileSync(join(dataDir, 'operator.json'), 'utf8');
  const { client_id, client_secret } = JSON.parse(file) as Record<string, string>;
  const answer = await fetch(`${baseUrl}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** Pays one reward under a key; the same key has the same answer. */
async function pay(at: ServiceProcess, token: string, key: string): Promise<unknown> {
  const answer = await fetch(`${at.baseUrl}/operator/rewards`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({
      user_id: person.userId,
      currency: 'EDGE',
      amount: 1,
      reward_type: 'BONUS',
    }),
  });
  const body = (await answer.json()) as object;
  return { status: answer.status, ...body };
}

test('a copy that is made while rewards are posted has each one acknowledged before', {
  timeout: 180_000,
}, async () => {
  const token = await fetchToken(service);
  const acknowledged = new Map<string, unknown>();
  const postOne = async (): Promise<void> => {
    const key = `reward-${acknowledged.size}`;
    acknowledged.set(key, await pay(service, token, key));
  };
  for (let i = 0; i < 20; i++) await postOne();
  const before = [...acknowledged];
  let isCopied = false;
  const copied = runCommand(['backup', backup], service.env).finally(() => {
    isCopied = true;
  });
  while (!isCopied) await postOne();
  expect(await copied).toMatchObject({
    ...{ code: 0, stderr: '' },
    stdout: expect.stringContaining(`${backup}\nIt contains the master key`),
  });
  expect(before).toContainEqual(['reward-0', expect.objectContaining({ status: 200 })]);
  expect(acknowledged.size).toBeGreaterThan(before.length);
  expect(statSync(backup).mode & 0o777).toBe(0o700);
  expect(readdirSync(backup).sort()).toEqual(['database', 'master.key', 'operator.json']);

  const env = { ...ENV, DATA_DIR: backup };
  expect(await runCommand(['restore-check'], { ...service.env, ...env })).toMatchObject({
    code: 0,
  });
  expect(await runCommand(['verify', '--from-genesis'], { ...service.env, ...env })).toMatchObject({
    code: 0,
  });
  const restored = await startService(env);
  try {
    const newToken = await fetchToken({ ...restored, dataDir: backup });
    for (const [key, answer] of before) expect(await pay(restored, newToken, key)).toEqual(answer);
  } finally {
    await restored.dispose();
  }
});

test('a backup never replaces anything', async () => {
  expect(await runCommand(['backup', service.dataDir], service.env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is there already'),
  });
  expect(await runCommand(['backup', join(folder, 'none', 'copy')], service.env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('ENOENT'),
  });
  expect(await runCommand(['backup'], service.env)).toMatchObject({ code: 1 });
});

test('an operator is made while the service runs, and a refusal says why', async () => {
  expect(await runCommand(['operator', 'grant', person.email], service.env)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`${person.email} may act as an operator: `),
  });
  expect(await runCommand(['operator', 'grant', 'x@example.test'], service.env)).toMatchObject({
    code: 1,
    stderr: 'edge-account: there is no account with the address x@example.test\n',
  });
  expect(await runCommand(['operator', 'revoke', person.email], service.env)).toMatchObject({
    code: 0,
  });
  const created = await runCommand(['operator', 'create'], service.env);
  expect(JSON.parse(created.stdout)).toEqual({
    client_id: expect.any(String),
    client_secret: expect.any(String),
  });
});

test('the socket of a killed process is replaced, and only the owner reaches it', async () => {
  const socket = join(service.dataDir, 'database', 'control.sock');
  expect(statSync(join(service.dataDir, 'database')).mode & 0o077).toBe(0);
  await service.kill();
  expect(existsSync(socket)).toBe(true);
  const stopped = join(folder, 'stopped');
  expect(await runCommand(['backup', stopped], service.env)).toMatchObject({ code: 0 });
  await service.start();
  const running = join(folder, 'running');
  expect(await runCommand(['backup', running], service.env)).toMatchObject({ code: 0 });
});

test('another command that holds the database is named, not waited for', async () => {
  await service.kill();
  const holder = await startService({ ...ENV, DATA_DIR: service.dataDir });
  rmSync(join(service.dataDir, 'database', 'control.sock'));
  expect(await runCommand(['operator', 'create'], service.env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('another process is using the data directory'),
  });
  await holder.kill();
});
