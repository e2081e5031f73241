/** The main path: the code of `npm run demo`, against the service as a process. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { passADay, withStopped } from '../demo/pass-a-day.ts';
import { type WalkReport, walkMainPath } from '../demo/walk-main-path.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { checkEarningsIdentity } from './check-earnings.ts';
import { createServerDatabase, type Engine } from './databases.ts';
import { runCommand, type ServiceProcess, startService } from './service-process.ts';

/** Tests of the main path on an engine. */
export function describeMainPath(engine: Engine): void {
  describe(`the main path on ${engine}`, () => defineTests(engine));
}

function defineTests(engine: Engine): void {
  let browser: TestBrowser;
  let service: ServiceProcess;
  let report: WalkReport;
  const lines: string[] = [];

  beforeAll(async () => {
    browser = await openBrowser();
    service = await startService(
      engine === 'server' ? { DATABASE_URL: await createServerDatabase() } : {},
    );
    report = await walkMainPath({
      baseUrl: service.baseUrl,
      operator: await operatorOf(service, engine),
      browser: browser.browser,
      print: (line) => lines.push(line),
      passADay: () => passADay(service),
      async restart() {
        await service.kill();
        await service.start();
      },
    }).catch((error: unknown) => {
      throw new Error(`${lines.join('\n')}\n${service.output().slice(-3000)}`, { cause: error });
    });
  });
  afterAll(async () => {
    await service.dispose();
    await browser.close();
  });

  test('a device comes online, and its token is refused after its revocation', () => {
    expect(report.deviceStatuses).toEqual(['offline', 'online', 'disconnected']);
    expect(report.statusAfterCut).toBe(401);
    expect(report.standardClaims).toMatchObject({
      token_use: 'device',
      sub: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  test('the reward appears once, with exact decimals, in all views', () => {
    expect(report.bonusInfo).toContain(`"balance":${report.rewardAmount}`);
    expect(report.bonusBills).toContain(`"amount":${report.rewardAmount}`);
    expect(JSON.parse(report.bonusBills)).toMatchObject({ total: 1 });
    expect(report.overview).toContain(`"network_rewards":${report.rewardAmount}`);
    expect(report.networkRewards).toContain(`"amount":${report.rewardAmount}`);
  });

  test('SIGKILL loses nothing', () => {
    expect(report.isSameAfterKill).toBe(true);
  });

  test('a payout arrives on the local chain', () => {
    expect(report.payoutStatuses).toEqual(['requested', 'approved', 'sent', 'confirmed']);
  });

  test('the logs contain no secrets', () => {
    const { client_secret } = JSON.parse(
      readOperatorFile(service) ?? '{"client_secret":"none"}',
    ) as { client_secret: string };
    expect(service.output()).not.toContain(client_secret);
    expect(service.output()).not.toMatch(/eyJhbGciOi/);
    expect(service.output()).not.toMatch(/[?&]code=/);
  });

  test('verify finds no error in the ledger', async () => {
    await service.stop();
    const verified = await runCommand(['verify'], service.env);
    expect(`${verified.stdout}${verified.stderr}`).not.toMatch(/tampered|does not/i);
    expect(verified.code).toBe(0);
  });

  test('total earnings = bills = earnings by date = ledger', async () => {
    await withStopped(service, (database) => checkEarningsIdentity(database, report.userId));
  });
}

function readOperatorFile(service: ServiceProcess): string | undefined {
  try {
    return readFileSync(join(service.dataDir, 'operator.json'), 'utf8');
  } catch {
    return undefined;
  }
}

/** The operator's client: created by the embedded start, or by the command on a server. */
async function operatorOf(
  service: ServiceProcess,
  engine: 'embedded' | 'server',
): Promise<{ client_id: string; client_secret: string }> {
  if (engine === 'embedded')
    return JSON.parse(readOperatorFile(service) ?? '{}') as {
      client_id: string;
      client_secret: string;
    };
  const { stdout, stderr } = await runCommand(['operator', 'create'], service.env);
  const json = stdout.slice(stdout.indexOf('{'));
  if (json === '') throw new Error(`operator create printed no client: ${stderr}`);
  return JSON.parse(json) as { client_id: string; client_secret: string };
}
