/**
 * `npm run seed`: a new data directory with sample accounts: two devices, two months of rewards
 * that agree with their uptime, settled days, three referred users with purchases, two of them with
 * held rewards, prices and rules, deposits and payouts in several statuses and their queues,
 * refused reports, webhooks with deliveries and a dead letter, and what an operator changed: a
 * draft of rules, a reversal, a refund, frozen and held money, a price feed, an application, an
 * API, a brand. Its books are verified. Start the service on it with `npm start` afterwards.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { misreport, openOperator } from '../console/test/support/seed.ts';
import { seedPerson, seedPrices } from '../console/test/support/seed-account.ts';
import { seedAuthenticator } from '../console/test/support/seed-authenticator.ts';
import { seedChanges } from '../console/test/support/seed-changes.ts';
import { seedDecisions, seedVerification } from '../console/test/support/seed-decisions.ts';
import { seedDeposits } from '../console/test/support/seed-deposits.ts';
import { seedHistory } from '../console/test/support/seed-history.ts';
import { seedPayoutHistory } from '../console/test/support/seed-payout-history.ts';
import { seedWebhooks } from '../console/test/support/seed-webhooks.ts';
import { readConfig } from '../service/src/config.ts';
import { loadMasterKey } from '../service/src/master-key.ts';
import { startService } from '../service/test/support/service-process.ts';

const PERSON = {
  email: 'ada@example.test',
  nickname: 'Ada',
  password: 'twelve green bicycles',
};
const OPERATOR = {
  email: 'hopper@example.test',
  nickname: 'Hopper',
  password: 'seven quiet compilers',
};

/** The master key that `npm start` finds there; the service stores it as text. */
function makeMasterKey(directory: string): string {
  loadMasterKey(readConfig({ DATA_DIR: directory }));
  const text = readFileSync(join(directory, 'master.key'), 'utf8').trim();
  return Buffer.from(text, 'base64url').toString('hex');
}

/** @returns the secret of the operator's authenticator */
async function seed(directory: string): Promise<string> {
  const service = await startService({
    DATA_DIR: directory,
    MASTER_KEY: makeMasterKey(directory),
    OUTGOING_LOOPBACK: 'allow',
  });
  try {
    const operator = await openOperator({ baseUrl: service.baseUrl, dataDir: directory });
    const seeded = await seedPerson(service, PERSON);
    await seedPrices(operator, seeded);
    const webhooks = await seedWebhooks(operator);
    await seedHistory({ ...service, dataDir: directory }, seeded, async (stage) => [
      ...(await seedDeposits(stage, seeded)),
      seedPayoutHistory(stage, seeded),
    ]);
    await webhooks.finish(operator);
    await misreport(operator, seeded.devices[0]?.nodeId ?? '');
    await seedDecisions(await seedChanges(service, seeded, OPERATOR), seeded);
    const secret = await seedAuthenticator(service.baseUrl, OPERATOR);
    await seedVerification(service);
    return secret;
  } finally {
    await service.stop();
    await service.dispose();
  }
}

const { DATA_DIR: directory } = readConfig({ ...process.env });
if (process.env.DATABASE_URL !== undefined || existsSync(join(directory, 'database'))) {
  console.error(
    process.env.DATABASE_URL === undefined
      ? `${resolve(directory)} has a database already: remove it, or set DATA_DIR to a new folder`
      : 'npm run seed fills an embedded database only: unset DATABASE_URL',
  );
  process.exitCode = 1;
} else {
  const secret = await seed(directory);
  console.log(`Seeded ${resolve(directory)}.
Start the service:  npm start
Sign in:            ${PERSON.email}, password "${PERSON.password}"
Code:               at /dev/mail of the service
Operator:           ${OPERATOR.email}, password "${OPERATOR.password}"
Authenticator:      ${secret} (add it to an app: operators sign in with its codes)`);
}
