/** The reference terminal against the real service, both as processes: sign-in, restart of the service, cut, return. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signInAndAllow } from '../demo/get-standard-tokens.ts';
import { call, expectOk } from '../demo/http-client.ts';
import { openBrowser } from '../support/browser.ts';
import { type LivePerson, signUp } from '../support/live-person.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { startTerminal } from '../support/terminal-process.ts';

let service: ServiceProcess;
let person: LivePerson;
let folder: string;
let state: string;

beforeAll(async () => {
  service = await startService({ LOG_LEVEL: 'error' });
  person = await signUp(service.baseUrl);
  folder = mkdtempSync(join(tmpdir(), 'edge-terminal-'));
  state = join(folder, 'state.json');
});
afterAll(async () => {
  await service.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const terminal = (...args: string[]) => startTerminal([...args, '--state', state]);
const nodeIdOf = async (): Promise<string> => {
  const { devices } = await expectOk<{ devices: { node_id: string }[] }>(`${service.baseUrl}/me/devices`, { token: person.accessToken });
  return devices[0]?.node_id ?? 'none';
};
const post = (path: string, body: object = {}) => call(`${service.baseUrl}${path}`, { method: 'POST', token: person.accessToken, body });

/** Signs the terminal in by the code that it shows. */
async function signInByCode(): Promise<void> {
  const login = terminal('login', '--service', service.baseUrl);
  const [, userCode] = await login.waitFor(/enter the code {2}(\S+)/);
  expect(login.output()).toMatch(/[█▀▄]{10}/);
  expect(await post('/oauth2/device', { user_code: userCode, decision: 'allow' })).toMatchObject({ status: 204 });
  expect(await login.exited, login.output()).toBe(0);
}

test('without a sign-in it says what to do', async () => {
  const run = terminal('run');
  expect(await run.exited).toBe(1);
  expect(run.output()).toContain('run `edge-terminal login` first');
});

test('signs in by code, stays connected over a kill of the service, is cut off, and comes back as the same device', async () => {
  await signInByCode();
  expect(statSync(state).mode & 0o777).toBe(0o600);

  const run = terminal('run');
  await run.waitFor(/online \(socket\)/);
  const nodeId = await nodeIdOf();
  const status = terminal('status');
  expect(await status.exited, status.output()).toBe(0);
  expect(status.output()).toMatch(/status +online/);

  const before = run.output().length;
  await service.kill();
  await run.waitFor(/trying again in/, before);
  await service.start();
  await run.waitFor(/online \(socket\)/, before);

  await post(`/me/devices/${nodeId}/disconnect`);
  expect(await run.exited).toBe(3);
  expect(run.output()).toContain('ended: disconnected by you');
  const refused = terminal('run');
  expect(await refused.exited, refused.output()).not.toBe(0);

  await signInByCode();
  const again = terminal('run');
  await again.waitFor(/online \(socket\)/);
  expect(await nodeIdOf()).toBe(nodeId);
  expect(await again.end()).toBe(0);
});

test('signs in through a browser', async () => {
  const key = (JSON.parse(readFileSync(state, 'utf8')) as { key: unknown }).key;
  const { browser, close } = await openBrowser();
  try {
    const login = terminal('login', '--browser', '--service', service.baseUrl);
    const [url] = await login.waitFor(/http\S+\/oauth2\/authorize\S+/);
    const page = await browser.newPage();
    await page.goto(url);
    await signInAndAllow(page, { baseUrl: service.baseUrl }, person);
    expect(await login.exited, login.output()).toBe(0);
  } finally {
    await close();
  }
  expect((JSON.parse(readFileSync(state, 'utf8')) as { key: unknown }).key).toEqual(key);
});
