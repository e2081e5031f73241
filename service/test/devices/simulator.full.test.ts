/** Runs of the simulator that are stopped, or lose the service. */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { startTerminal, type TerminalProcess } from '../support/terminal-process.ts';

let service: ServiceProcess;

beforeEach(async () => {
  service = await startService({ LOG_LEVEL: 'error', HEARTBEAT_INTERVAL: '5' });
});
afterEach(() => service.dispose());

function simulate(devices: number, minutes: number): TerminalProcess {
  const network = ['--devices', String(devices), '--minutes', String(minutes), '--rate', '100'];
  return startTerminal([
    'simulate',
    '--service',
    service.baseUrl,
    '--operator',
    join(service.dataDir, 'operator.json'),
    ...network,
  ]);
}

test('stopped while it registers devices, it ends and prints what was done', async () => {
  const run = simulate(1000, 10);
  await run.waitFor(/100 devices registered/);
  expect(await run.end('SIGINT'), run.output()).toBe(130);
  expect(run.output()).toMatch(/device: registration +1\d\d {2}accepted\n/);
  expect(run.output()).toMatch(/accepted \d+, refused 0, failed 0\n/);
  expect(run.output()).not.toContain('misuse');
  expect(run.output()).toContain('Stopped early; so far all outcomes are as expected.');
});

test('downtime of the service is counted, and the run ends without help', async () => {
  const run = simulate(3, 0.4);
  await run.waitFor(/3 of 3 online/);
  await service.kill();
  expect(await run.exited, run.output()).toBe(1);
  expect(run.output()).toMatch(/! device: stays online, round by round +\d+ {2}failed/);
  expect(run.output()).toMatch(/! owner: traffic shown +2 {2}failed unreachable/);
  expect(run.output()).toMatch(/outcomes \(!\) are unexpected/);
  expect(run.output()).toContain('could not be removed from the service');
  await service.start();
});
