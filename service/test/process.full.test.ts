import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openOperator } from '../../console/test/support/seed.ts';
import { expectOk, readCode } from './demo/http-client.ts';
import { runCommandHere } from './support/run-command.ts';
import { runCommand, type ServiceProcess, startService } from './support/service-process.ts';

describe('the service as a process', () => {
  let service: ServiceProcess;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.dispose());

  test('prints its address at startup, and logs JSON with a request id', async () => {
    const response = await fetch(`${service.baseUrl}/openapi.json?secret=hunter2`);
    expect(response.status).toBe(200);
    expect(service.output()).toContain(service.baseUrl);
    await expect.poll(() => service.output()).toContain(response.headers.get('x-request-id'));
    expect(service.output()).not.toContain('hunter2');
  });

  test('a second process on the same data directory refuses to start with a reason', async () => {
    const second = await runCommand(['serve'], { ...service.env, PORT: '1' });
    expect(second.code).toBe(1);
    expect(second.stderr).toContain('another process is using the data directory');
    expect(second.stderr).not.toContain('    at ');
  });

  test('malformed HTTP gets a problem, and HEAD works for probes', async () => {
    const { hostname, port } = new URL(service.baseUrl);
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      connect(Number(port), hostname)
        .on('data', (chunk: Buffer) => {
          text += chunk.toString();
        })
        .on('close', () => resolve(text))
        .write('nonsense\r\n\r\n');
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"malformed_request"');
    expect((await fetch(`${service.baseUrl}/healthz`, { method: 'HEAD' })).status).toBe(200);
  });

  test('restarts on the same data after SIGKILL', async () => {
    await service.kill();
    await service.start();
    expect((await fetch(`${service.baseUrl}/readyz`)).status).toBe(200);
  });

  test('on SIGTERM /readyz says so while the request in progress completes', async () => {
    const { hostname, port } = new URL(service.baseUrl);
    const body = JSON.stringify({ email: 'unknown@example.test' });
    const socket = connect(Number(port), hostname);
    const answered = new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      socket.on('close', () => resolve(text));
    });
    // The body's second half is sent only after the signal.
    const head = [
      'POST /user/login-with-password HTTP/1.1',
      `host: localhost:${port}`,
      'content-type: application/json',
      `content-length: ${body.length}`,
      '\r\n',
    ].join('\r\n');
    await new Promise<void>((resolve) => socket.write(head + body.slice(0, 5), () => resolve()));
    await fetch(`${service.baseUrl}/healthz`, { headers: { connection: 'close' } });
    const stopped = service.stop();
    const askReadiness = async () => {
      const response = await fetch(`${service.baseUrl}/readyz`, {
        headers: { connection: 'close' },
      });
      return [response.status, ((await response.json()) as { reason?: string }).reason];
    };
    await expect.poll(askReadiness).toEqual([503, 'draining']);
    // Longer than an instance that has nothing under way listens.
    for (let n = 0; n < 200; n++) expect(await askReadiness()).toEqual([503, 'draining']);
    socket.write(body.slice(5));
    expect(await answered).toContain('invalid_parameter');
    expect(await stopped).toBe(0);
    await service.start();
  });
});

/** A user who registers over HTTP. @returns the user id */
async function register(baseUrl: string, email: string): Promise<number> {
  const body = { email, login_password: '0'.repeat(31).concat('7'), nickname: 'Ada' };
  const { register_ticket } = await expectOk<{ register_ticket: string }>(
    `${baseUrl}/user/register`,
    { body },
  );
  const validate_code = await readCode(baseUrl, email);
  const made = await expectOk<{ user_id: number }>(`${baseUrl}/user/register/verify`, {
    body: { email, register_ticket, validate_code },
  });
  return made.user_id;
}

test('on SIGTERM a receiver and a client that are both silent delay the end once', async () => {
  const service = await startService({ OUTGOING_LOOPBACK: 'allow' });
  const received: Socket[] = [];
  const receiver = createServer((socket) => received.push(socket));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const { token } = await openOperator(service);
  const { baseUrl } = service;
  await expectOk(`${baseUrl}/operator/webhooks`, {
    token,
    body: { url: `http://127.0.0.1:${port}/`, event_types: ['reward.posted'] },
  });
  const user_id = await register(baseUrl, 'ada@example.test');
  const { hostname, port: own } = new URL(baseUrl);
  const client = connect(Number(own), hostname).on('error', () => undefined);
  client.write(
    `POST /user/register HTTP/1.1\r\nhost: localhost:${own}\r\ncontent-length: 9\r\n\r\n`,
  );
  await expectOk(`${baseUrl}/operator/rewards`, {
    token,
    body: { user_id, currency: 'EDGE', amount: '1', reward_type: 'UPTIME' },
    headers: { 'idempotency-key': 'one' },
  });
  await expect.poll(() => received.length).toBe(1);
  expect(await service.stop()).toBe(0);
  client.destroy();
  for (const socket of received) socket.destroy();
  receiver.close();
  await service.dispose();
});

test('a busy port is reported', async () => {
  const blocker = createServer();
  await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
  const address = blocker.address();
  const port = typeof address === 'object' && address ? String(address.port) : '';
  const dataDir = mkdtempSync(join(tmpdir(), 'edge-account-busy-'));
  const result = await runCommand(['serve'], { DATA_DIR: dataDir, PORT: port });
  expect(result.code).toBe(1);
  expect(result.stderr).toContain(`port ${port} on 127.0.0.1 is busy`);
  blocker.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test('all errors in the environment are reported together, without a stack trace', async () => {
  const result = await runCommand(['serve'], {
    PORT: 'x',
    LOG_LEVEL: 'loud',
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
  });
  expect(result.code).toBe(1);
  for (const name of ['PORT', 'LOG_LEVEL', 'MASTER_KEY']) expect(result.stderr).toContain(name);
  expect(result.stderr).not.toContain('    at ');
});

test('an unusable data directory is reported, and a lost master key is not replaced', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'edge-account-folder-'));
  const file = join(folder, 'file');
  writeFileSync(file, '');
  for (const DATA_DIR of [file, join(file, 'below'), '/proc/nope']) {
    const result = await runCommandHere(['migrate'], { DATA_DIR });
    expect(result.code).toBe(1);
    expect(result.stderr).toContain(`DATA_DIR ${DATA_DIR} cannot be used`);
    expect(result.stderr).not.toContain('    at ');
  }
  expect((await runCommandHere(['migrate'], { DATA_DIR: folder })).code).toBe(0);
  const other = await runCommandHere(['verify'], { DATA_DIR: folder, MASTER_KEY: 'ab'.repeat(32) });
  expect(other.stderr).toContain('MASTER_KEY is not the key that this database was made with');
  expect(other.code).toBe(2);
  rmSync(join(folder, 'master.key'));
  const lost = await runCommandHere(['migrate'], { DATA_DIR: folder });
  expect(lost.stderr).toContain('master.key is missing');
  expect(lost.code).toBe(1);
  rmSync(folder, { recursive: true, force: true });
});

test('reading commands create no database, and every command has a help text', async () => {
  const nowhere = join(tmpdir(), 'edge-account-nowhere');
  const result = await runCommandHere(['verify'], { DATA_DIR: nowhere });
  expect(result.code).toBe(2);
  expect(result.stderr).toContain(`there is no database in ${nowhere}`);
  expect(existsSync(nowhere)).toBe(false);
  const help = await runCommandHere(['keys', '--help'], {});
  expect(help).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('edge-account keys rotate'),
  });
});

test('an unknown command prints the list of commands', async () => {
  const result = await runCommandHere(['nonsense'], {});
  expect(result.code).toBe(2);
  expect(result.stdout).toContain('serve');
});
