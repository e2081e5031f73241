/** `edge-account migrate` */
import { openPlatform } from './bootstrap.ts';

export const usage = 'edge-account migrate';

export async function run(): Promise<void> {
  const { database } = await openPlatform();
  await database.close();
  console.log('The database is up to date.');
}
