/** Part of `npm ci`: makes the data directory that the first embedded start copies. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemplate, migrate, openEmbedded } from '../service/src/db/index.ts';

await makeTemplate(async (directory) => {
  const database = await openEmbedded({ directory });
  await migrate(database);
  await database.close();
  rmSync(join(directory, 'lock.sqlite'), { force: true });
});
