/**
 * A dump of a migrated PGlite: a copy for each test opens in a fraction of the time of a new one.
 */

import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { unaccent } from '@electric-sql/pglite/contrib/unaccent';
import { migrate, openEmbedded } from '../../src/db/index.ts';

export async function dumpMigratedTemplate(): Promise<Uint8Array> {
  const directory = mkdtempSync(join(tmpdir(), 'edge-account-template-'));
  const database = await openEmbedded({ directory });
  await migrate(database);
  await database.close();
  const engine = await PGlite.create({
    dataDir: join(directory, 'pg'),
    extensions: { pg_trgm, unaccent },
  });
  // No test makes databases from these two, and they are a third of the unpacked size.
  await engine.exec(
    "update pg_database set datistemplate = false where datname in ('template0', 'template1')",
  );
  for (const name of ['template0', 'template1']) await engine.exec(`drop database ${name}`);
  const dump = await engine.dumpDataDir('none');
  await engine.close();
  await rm(directory, { recursive: true, force: true });
  return new Uint8Array(await dump.arrayBuffer());
}
