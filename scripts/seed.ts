/**
 * `npm run seed`: a new data directory with a sample account: two devices, two months of rewards, a
 * settled day, three referred users with purchases, prices and rules, payouts in several statuses
 * and their queue, and what an operator changed. Start the service on it with `npm start`
 * afterwards.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openOperator } from '../console/test/support/seed.ts';
import { seedPerson, seedPrices } from '../console/test/support/seed-account.ts';
import { seedChanges } from '../console/test/support/seed-changes.ts';
import { seedHistory } from '../console/test/support/seed-history.ts';
import { seedPayoutHistory } from '../console/test/support/seed-payout-history.ts';
import { readConfig } from '../service/src/config.ts';
import { loadMasterKey } from '../service/src/master-key.ts';
import { startService } from '../service/test/support/service-process.ts';

const PERSON = {
  email: 'ada@example.test',
  nickname: 'Ada',
  password: 'twelve green bicycles',
};

/** The master key that `npm start` finds there; the service stores it as text. */
function makeMasterKey(directory: string): string {
  loadMasterKey(readConfig({ DATA_DIR: directory }));
  const text = readFileSync(join(directory, 'master.key'), 'utf8').trim();
  return Buffer.from(text, 'base64url').toString('hex');
}

async function seed(directory: string): Promise<void> {
  const service = await startService({
    DATA_DIR: directory,
    MASTER_KEY: makeMasterKey(directory),
  });
  try {
    const operator = await openOperator({ baseUrl: service.baseUrl, dataDir: directory });
    const seeded = await seedPerson(service, PERSON);
    await seedPrices(operator, seeded);
    await seedHistory({ ...service, dataDir: directory }, seeded, (database, masterKey) =>
      seedPayoutHistory(database, masterKey, seeded),
    );
    await seedChanges(service, seeded);
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
  await seed(directory);
  console.log(`Seeded ${resolve(directory)}.
Start the service:  npm start
Sign in:            ${PERSON.email}, password "${PERSON.password}"
Code:               at /dev/mail of the service`);
}
