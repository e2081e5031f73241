/** The command that the console shows for Windows, as its user pastes it. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCommand } from '../../../console/src/devices/start-command.ts';
import { call, expectOk } from '../demo/http-client.ts';
import { type LivePerson, signUp } from '../support/live-person.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { findMissingProgram, openWindowsLab, type WindowsLab } from '../support/windows-lab.ts';

const missing = findMissingProgram();
if (missing !== undefined)
  console.warn(`SKIPPED: the Windows path needs ${missing} (Debian packages wine, curl, bsdutils)`);

describe.skipIf(missing !== undefined)('a terminal on Windows', () => {
  const folder = mkdtempSync(join(tmpdir(), 'edge-windows-'));
  let service: ServiceProcess;
  let person: LivePerson;
  let windows: WindowsLab;

  beforeAll(async () => {
    service = await startService({ LOG_LEVEL: 'error' });
    person = await signUp(service.baseUrl);
    windows = openWindowsLab(folder);
  }, 180_000);
  afterAll(async () => {
    windows?.stop();
    await service?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const post = (path: string, body: object = {}) =>
    call(`${service.baseUrl}${path}`, { method: 'POST', token: person.accessToken, body });
  const devices = async () =>
    (
      await expectOk<{ devices: { node_id: string; status: string; os: string }[] }>(
        `${service.baseUrl}/me/devices`,
        { token: person.accessToken },
      )
    ).devices;

  test('signs in by its code, returns as the same device, ends when it is cut off', async () => {
    const command = startCommand('windows', service.baseUrl);
    const first = windows.run(command);
    const [, userCode] = await first.waitFor(/enter the code {2}(\S+)/);
    await post('/oauth2/device', { user_code: userCode, decision: 'allow' });
    const [, nodeId] = await first.waitFor(/registered as (\S+)/);
    await first.waitFor(/online \(socket\)/);
    expect(await devices()).toMatchObject([{ node_id: nodeId, status: 'online' }]);
    expect((await devices())[0]?.os).toMatch(/^Windows_NT 10\./);
    const state = join(windows.home, '.config/edge-terminal/state.json');
    expect(existsSync(state)).toBe(true);
    expect(JSON.parse(readFileSync(state, 'utf8'))).toMatchObject({ service: service.baseUrl });

    windows.stop();
    await first.exited;
    const again = windows.run(command);
    await again.waitFor(new RegExp(`registered as ${nodeId} `));
    await again.waitFor(/online \(socket\)/);
    await post(`/me/devices/${nodeId}/disconnect`);
    await again.waitFor(/bring this device back/);
    expect(await again.exited).not.toBe(0);
    expect(again.output()).toContain(
      `Run \`node edge-terminal.mjs login --service ${service.baseUrl}\``,
    );
    expect(await devices()).toMatchObject([{ node_id: nodeId, status: 'disconnected' }]);
  });
});
