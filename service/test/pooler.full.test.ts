/** The main path through PgBouncer in transaction mode, as docs/operations.md says. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { passADay, withStopped } from './demo/pass-a-day.ts';
import { walkMainPath } from './demo/walk-main-path.ts';
import { openBrowser } from './support/browser.ts';
import { checkEarningsIdentity } from './support/check-earnings.ts';
import { createServerDatabase } from './support/databases.ts';
import { startPooler } from './support/pgbouncer.ts';
import { runCommand, startService } from './support/service-process.ts';

function readVersion(): string {
  try {
    return /\d+\.\d+/.exec(execFileSync('pgbouncer', ['--version']).toString())?.[0] ?? '';
  } catch {
    return '';
  }
}

const version = readVersion();
const keepsPrepared = Number(version.split('.')[1]) >= 21;

test.skipIf(version === '')(
  'the main path through PgBouncer (skipped where it is not installed)',
  async () => {
    const direct = await createServerDatabase();
    const pooler = await startPooler(direct);
    const browser = await openBrowser();
    const service = await startService({
      DATABASE_URL: pooler.url,
      DATABASE_DIRECT_URL: direct,
      DATABASE_PREPARED_STATEMENTS: keepsPrepared ? 'on' : 'off',
    });
    try {
      const { stdout } = await runCommand(['operator', 'create'], service.env);
      const report = await walkMainPath({
        baseUrl: service.baseUrl,
        operator: JSON.parse(stdout.slice(stdout.indexOf('{'))),
        browser: browser.browser,
        print: () => {},
        passADay: () => passADay(service),
        async restart() {
          await service.kill();
          await service.start();
        },
      });
      expect(report).toMatchObject({
        deviceStatuses: ['offline', 'online', 'disconnected'],
        statusAfterCut: 401,
        isSameAfterKill: true,
        payoutStatuses: ['requested', 'approved', 'sent', 'confirmed'],
      });
      expect(service.output()).not.toContain('prepared statement');
      await service.stop();
      expect(await runCommand(['verify'], service.env)).toMatchObject({ code: 0 });
      await withStopped(service, (database) => checkEarningsIdentity(database, report.userId));
    } finally {
      await service.dispose();
      await browser.close();
      await pooler.stop();
    }
  },
);
