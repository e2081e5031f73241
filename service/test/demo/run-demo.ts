/**
 * `npm run demo`: starts a service with a new data directory, runs the main path and prints each
 * step.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser } from '../support/browser.ts';
import { startService } from '../support/service-process.ts';
import { passADay } from './pass-a-day.ts';
import { walkMainPath } from './walk-main-path.ts';

const started = Date.now();
const service = await startService();
console.log(
  `edge-account runs at ${service.baseUrl}, its data in ${service.dataDir} ` +
    `(${Date.now() - started} ms to ready)`,
);
const browser = await openBrowser();
try {
  const report = await walkMainPath({
    baseUrl: service.baseUrl,
    operator: JSON.parse(readFileSync(join(service.dataDir, 'operator.json'), 'utf8')),
    browser: browser.browser,
    print: (line) => console.log(line),
    passADay: () => passADay(service),
    async restart() {
      await service.kill();
      const killed = Date.now();
      await service.start();
      console.log(`   ready again after ${Date.now() - killed} ms`);
    },
  });
  console.log(
    `\nResult: user ${report.userId}, device ${report.deviceStatuses.join(' → ')}, ` +
      `${report.rewardAmount} EDGE in wallet and dashboard, ` +
      `deposit ${report.depositStatuses.join(' → ')}, ` +
      `payout ${report.payoutStatuses.join(' → ')}, ` +
      `${report.isSameAfterKill ? 'nothing lost' : 'DATA LOST'}.`,
  );
  if (!report.isSameAfterKill) process.exitCode = 1;
} finally {
  await browser.close();
  await service.dispose();
}
