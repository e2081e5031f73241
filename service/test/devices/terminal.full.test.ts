/**
 * The reference terminal against the real service, both as processes: sign-in, restart of the
 * service, revocation, return.
 */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCommand } from '../../../console/src/devices/start-command.ts';
import { signInAndAllow } from '../demo/get-standard-tokens.ts';
import { call, expectOk } from '../demo/http-client.ts';
import { openBrowser } from '../support/browser.ts';
import { type LivePerson, signUp } from '../support/live-person.ts';
import { findMissingForPaste, pasteCommand } from '../support/paste-command.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { startTerminal } from '../support/terminal-process.ts';

let service: ServiceProcess;
let person: LivePerson;
let folder: string;
let state: string;

beforeAll(async () => {
  service = await startService({ LOG_LEVEL: 'error', HEARTBEAT_INTERVAL: '5' });
  person = await signUp(service.baseUrl);
  folder = mkdtempSync(join(tmpdir(), 'edge-terminal-'));
  state = join(folder, 'state.json');
});
afterAll(async () => {
  await service.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** Longer than the lifetime of a token. */
const CLOCK_JUMP_MS = 13 * 3_600_000;

const terminal = (...args: string[]) =>
  startTerminal([...args, '--state', state], { clockJump_ms: CLOCK_JUMP_MS });
const deviceOf = async () => {
  const { devices } = await expectOk<{ devices: { node_id: string; status: string }[] }>(
    `${service.baseUrl}/me/devices`,
    { token: person.accessToken },
  );
  return devices[0];
};
const nodeIdOf = async (): Promise<string> => (await deviceOf())?.node_id ?? 'none';
const post = (path: string, body: object = {}) =>
  call(`${service.baseUrl}${path}`, { method: 'POST', token: person.accessToken, body });

/** Authorises the terminal by the code that it shows. */
async function signInByCode(asked = '', granted?: string[]): Promise<void> {
  const login = terminal(
    'login',
    '--service',
    service.baseUrl,
    ...(asked === '' ? [] : ['--categories', asked]),
  );
  const [, userCode] = await login.waitFor(/enter the code {2}(\S+)/);
  expect(login.output()).toMatch(/[█▀▄]{10}/);
  expect(
    await post('/oauth2/device', {
      user_code: userCode,
      decision: 'allow',
      ...(granted && { categories: granted }),
    }),
  ).toMatchObject({ status: 204 });
  expect(await login.exited, login.output()).toBe(0);
}

test('without a sign-in it prints what to do', async () => {
  const run = terminal('run');
  expect(await run.exited).toBe(4);
  expect(run.output()).toContain(`run \`edge-terminal login --state ${state}\` first`);
});

test('one file from the service and one command make a device', async () => {
  const program = join(folder, 'edge-terminal.mjs');
  const answer = await fetch(`${service.baseUrl}/edge-terminal.mjs`);
  expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  const content = await answer.text();
  writeFileSync(program, content);
  const head = await fetch(`${service.baseUrl}/edge-terminal.mjs`, { method: 'HEAD' });
  expect(await head.text()).toBe('');
  expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(content)));
  for (const name of ['content-type', 'content-disposition', 'cache-control'])
    expect(head.headers.get(name)).toBe(answer.headers.get(name));
  const own = ['--service', service.baseUrl, '--state', join(folder, 'own.json')];
  const run = startTerminal(['run', '--sign-in', ...own], { program });
  const [, userCode] = await run.waitFor(/enter the code {2}(\S+)/);
  await post('/oauth2/device', { user_code: userCode, decision: 'allow' });
  const [, nodeId] = await run.waitFor(/registered as (\S+)/);
  await run.waitFor(/online \(socket\)/);
  await post(`/me/devices/${nodeId}/delete`);
  expect(await run.exited).toBe(3);
  expect(run.output()).toContain(
    `Run \`node edge-terminal.mjs login ${own.join(' ')}\` to bring this device back`,
  );
});

const missing = findMissingForPaste();
if (missing !== undefined)
  console.warn(`SKIPPED: the pasted command needs ${missing} (Debian packages bsdutils, curl)`);

test.skipIf(missing !== undefined)(
  'the command that the console shows for Linux and macOS makes a device as it is pasted',
  async () => {
    const [place, home] = [join(folder, 'place'), join(folder, 'home')];
    for (const path of [place, home]) mkdirSync(path);
    const command = startCommand('unix', service.baseUrl);
    const pasted = pasteCommand(command, { folder: place, home });
    try {
      const [, userCode] = await pasted.waitFor(/enter the code {2}(\S+)/);
      await post('/oauth2/device', { user_code: userCode, decision: 'allow' });
      const [, nodeId] = await pasted.waitFor(/registered as (\S+)/);
      await pasted.waitFor(/online \(socket\)/);
      expect(await deviceOf()).toMatchObject({ node_id: nodeId, status: 'online' });
      const own = join(home, '.config/edge-terminal/state.json');
      expect(statSync(own).mode & 0o777).toBe(0o600);
      expect(JSON.parse(readFileSync(own, 'utf8'))).toMatchObject({ service: service.baseUrl });
      await post(`/me/devices/${nodeId}/delete`);
      expect(await pasted.exited, pasted.output()).toBe(3);
      expect(pasted.output()).toContain(
        `Run \`node edge-terminal.mjs login --service ${service.baseUrl}\``,
      );
    } finally {
      await pasted.close();
    }
  },
);

test('a terminal that waits for its service stops on a signal', async () => {
  const file = join(folder, 'waiting.json');
  const key = {
    kty: 'EC',
    crv: 'P-256',
    x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
    y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
    d: 'jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI',
  };
  const busy = createServer((_request, response) =>
    response.writeHead(503, { 'retry-after': '3600' }).end(),
  );
  await once(busy.listen(0, '127.0.0.1'), 'listening');
  const { port } = busy.address() as AddressInfo;
  const tokens = {
    accessToken: 'a',
    tokenType: 'Bearer',
    refreshToken: 'r',
    scope: '',
    expiresAt_ms: Date.now() + 3_600_000,
  };
  writeFileSync(
    file,
    JSON.stringify({ service: `http://127.0.0.1:${port}`, clientId: 'edge-terminal', key, tokens }),
  );
  const run = startTerminal(['run', '--state', file]);
  await run.waitFor(/trying again in [34]\d{3}\.\d s/);
  expect(await run.end()).toBe(0);
  expect(run.output()).toContain('stopped');
  busy.close();
});

test('a sign-in whose result could not be stored does not begin', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const login = startTerminal([
    'login',
    '--service',
    service.baseUrl,
    '--state',
    join(file, 'state.json'),
  ]);
  expect(await login.exited, login.output()).toBe(1);
  expect(login.output()).toMatch(/^edge-terminal: \S+state\.json cannot be (read|written): /);
});

test('every command has a help text', async () => {
  const help = startTerminal(['--help']);
  expect(await help.exited).toBe(0);
  const options = {
    login: '--browser',
    run: '--state FILE',
    status: '--service URL',
    simulate: '--operator FILE',
  };
  for (const [name, option] of Object.entries(options)) {
    expect(help.output()).toContain(`  ${name} `);
    const command = startTerminal([name, '--help']);
    expect(await command.exited).toBe(0);
    expect(command.output()).toContain(option);
  }
});

test.each(['login', 'login --browser', 'run', 'status', 'simulate'])(
  '%s under an older Node.js says in one line which is needed',
  async (command) => {
    const old = startTerminal(command.split(' '), { nodeVersion: '20.20.2' });
    expect(await old.exited).toBe(1);
    expect(old.output()).toBe('edge-terminal: Node.js 22 or newer is needed; this is 20.20.2\n');
  },
);

test('signs in, reconnects after a kill, is disconnected, returns as the same', async () => {
  await signInByCode('web, video', ['web']);
  expect(statSync(state).mode & 0o777).toBe(0o600);

  const run = terminal('run');
  await run.waitFor(/online \(socket\)/);
  const nodeId = await nodeIdOf();
  const status = terminal('status');
  expect(await status.exited, status.output()).toBe(0);
  expect(status.output()).toMatch(/status +online/);
  expect(status.output()).toMatch(/categories +web\n/);

  // The clock jumps forward, and later back, while the service is down: no earlier synchronisation
  // is valid.
  for (const _ of ['there', 'back']) {
    const before = run.output().length;
    await service.kill();
    await run.waitFor(/trying again in/, before);
    run.signal('SIGUSR2');
    await run.waitFor(/the clock says/, before);
    await service.start();
    await run.waitFor(/online \(socket\)/, before);
  }

  await post(`/me/devices/${nodeId}/disconnect`);
  expect(await run.exited).toBe(3);
  expect(run.output()).toContain('ended: disconnected by you');
  const refused = terminal('run');
  expect(await refused.exited, refused.output()).toBe(3);
  expect(refused.output()).toMatch(
    /ended: The sign-in is over: disconnected by you\n.* Run `edge-terminal login --state \S+`/,
  );
  expect(refused.output()).toContain('to bring this device back');

  await signInByCode();
  const again = terminal('run');
  await again.waitFor(/online \(socket\)/);
  expect(await nodeIdOf()).toBe(nodeId);
  expect(await deviceOf()).toMatchObject({
    requested_categories: ['web', 'video'],
    granted_categories: ['web', 'video'],
  });

  // A category that the owner revoked stays revoked, however often the device registers on the same
  // consent.
  await call(`${service.baseUrl}/me/devices/${nodeId}`, {
    method: 'PATCH',
    token: person.accessToken,
    body: { granted_categories: ['video'] },
  });
  const second = terminal('run');
  expect(await again.exited).toBe(5);
  expect(again.output()).toContain('Another process runs as this device');
  await second.waitFor(/online \(socket\)/);
  expect(await deviceOf()).toMatchObject({ granted_categories: ['video'] });
  expect(await second.end()).toBe(0);
});

test('signs in through a browser', async () => {
  const key = (JSON.parse(readFileSync(state, 'utf8')) as { key: unknown }).key;
  const { browser, close } = await openBrowser();
  try {
    const login = terminal('login', '--browser', '--service', service.baseUrl);
    const [url] = await login.waitFor(/http\S+\/oauth2\/authorize\S+/);
    // Any page in the user's browser can call this port.
    const callback = new URL(url).searchParams.get('redirect_uri');
    for (const query of ['error=access_denied', 'code=x&state=guessed'])
      expect((await fetch(`${callback}?${query}`)).status).toBe(400);
    const page = await browser.newPage();
    await page.goto(url);
    await signInAndAllow(page, { baseUrl: service.baseUrl }, person, { refuse: ['web'] });
    expect(await login.exited, login.output()).toBe(0);
  } finally {
    await close();
  }
  expect((JSON.parse(readFileSync(state, 'utf8')) as { key: unknown }).key).toEqual(key);
});

test('sleeps, is offline during that time, and is online again without help', async () => {
  const run = terminal('run');
  await run.waitFor(/online \(socket\)/);
  const before = run.output().length;
  // The categories that the user left on at the previous sign-in, and earlier grants.
  expect(await deviceOf()).toMatchObject({
    requested_categories: ['web', 'video'],
    granted_categories: ['video'],
  });
  run.signal('SIGSTOP');
  await expect
    .poll(async () => (await deviceOf())?.status, { timeout: 45_000, interval: 500 })
    .toBe('offline');
  run.signal('SIGCONT');
  await run.waitFor(/online \(socket\)/, before);
  await expect.poll(async () => (await deviceOf())?.status).toBe('online');
  expect(await run.end()).toBe(0);

  const { user_id } = await expectOk<{ user_id: number }>(`${service.baseUrl}/me`, {
    token: person.accessToken,
  });
  await post('/user/logout', { id: user_id, everywhere: true });
  const signedOut = terminal('run');
  expect(await signedOut.exited, signedOut.output()).toBe(4);
  expect(signedOut.output()).toContain('ended: The sign-in is over: signed out everywhere\n');
  expect(signedOut.output()).toContain(
    `Run \`edge-terminal login --state ${state}\` to bring this device back`,
  );
  const status = terminal('status');
  expect(await status.exited).toBe(1);
  expect(status.output()).toMatch(
    /status +The sign-in is over: signed out everywhere\nRun `edge-terminal login --state \S+`/,
  );
  expect(status.output()).toContain('to bring this device back');
});

// Both simulations run for their configured time, and each leaves the processor to the other.
test.concurrent('simulates a network with misbehaving clients, prints outcomes', async () => {
  const network = ['--devices', '4', '--minutes', '0.25', '--rate', '50'];
  const run = startTerminal([
    'simulate',
    '--service',
    service.baseUrl,
    '--operator',
    join(service.dataDir, 'operator.json'),
    ...network,
  ]);
  expect(await run.exited, run.output()).toBe(0);
  const outcomes = {
    'device: online': '4  accepted',
    'device: cut off by its owner': '1  accepted: closed within a second, "disconnected by you"',
    'misuse: stolen token, wrong key': '1  refused 401 invalid_token: ',
    'misuse: clock an hour ahead': '1  refused 401 invalid_token: ',
    'misuse: flood of beats': '1  refused 4429: too many messages',
    'misuse: frame of 1 MB': '1  refused 1009: a message of more than 4096 bytes',
    'misuse: never reads': '1  refused 4408: a ping was not answered for 5 s',
    'misuse: report of last year': '1  refused report_too_late: ',
    'relay: the same reports again': 'accepted: counted before, and once',
    'owner: traffic shown': 'accepted: as reported, to the byte',
  };
  const lines = run.output().split('\n');
  for (const [what, outcome] of Object.entries(outcomes))
    expect(lines.find((line) => line.startsWith(`  ${what} `))).toContain(outcome);
  expect(run.output()).toContain('All outcomes are as expected.');
});

test.concurrent('a simulation reports connections that low limits refused', async () => {
  const strict = await startService({
    LOG_LEVEL: 'error',
    HEARTBEAT_INTERVAL: '5',
    CONNECTIONS_PER_USER: '2',
  });
  try {
    const network = ['--devices', '6', '--minutes', '0.1', '--rate', '50'];
    const run = startTerminal([
      'simulate',
      '--service',
      strict.baseUrl,
      '--operator',
      join(strict.dataDir, 'operator.json'),
      ...network,
    ]);
    expect(await run.exited, run.output()).toBe(1);
    const refusal =
      'refused 429 connection_limit: The limit of your live connections is reached: 2.';
    const lines = run.output().split('\n');
    const countsOf = (what: string) =>
      lines
        .filter((line) => line.slice(2).startsWith(`${what} `))
        .map((line) => line.slice(2 + what.length).trim());
    expect(countsOf('device: online')).toEqual(['4  accepted', `2  ${refusal}`]);
    expect(countsOf('misuse: frame of 1 MB')).toEqual([`1  ${refusal}`]);
    expect(countsOf('device: cut off by its owner')).toEqual([
      '1  accepted: closed within a second, "disconnected by you"',
    ]);
  } finally {
    await strict.dispose();
  }
});
