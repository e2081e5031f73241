/** Lets the quarantine of payout addresses end: nothing else of the demo takes a day. */
import { join } from 'node:path';
import { type Database, openEmbedded, openServer } from '../../src/db/index.ts';
import type { ServiceProcess } from '../support/service-process.ts';

function openStopped({ env, dataDir }: ServiceProcess): Promise<Database> {
  const { DATABASE_URL: url } = env;
  const onError = (error: Error): never => {
    throw error;
  };
  return url === undefined
    ? openEmbedded({ directory: join(dataDir, 'database') })
    : openServer({ url, poolSize: 2, onError });
}

/** Opens the database of a service that is stopped. */
export async function withStopped(
  service: ServiceProcess,
  work: (database: Database) => Promise<void>,
): Promise<void> {
  const database = await openStopped(service);
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

export async function passADay(service: ServiceProcess): Promise<void> {
  await service.stop();
  await withStopped(service, async (database) => {
    await database.query('update payout_address set usable_at = created_at');
    // An authenticator that was just added allows no more than email codes.
    await database.query(`update security_event set created_at = created_at - interval '1 day'`);
  });
  await service.start();
}
