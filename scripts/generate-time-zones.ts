/**
 * Writes `service/src/lib/time-zones.txt`: the zones and links of the IANA database in
 * PostgreSQL. Run it (`node scripts/generate-time-zones.ts`) when a newer PGlite has a newer
 * database; a test fails until then.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Db, openEmbedded } from '../service/src/db/index.ts';

/**
 * `Factory` is the setting of a machine without a configured zone. It is no zone, and JavaScript
 * does not know it.
 */
const NAMES = "select name from pg_timezone_names where name <> 'Factory'";

export async function renderTimeZones(db: Db): Promise<string> {
  const { rows } = await db.query<{ name: string }>(NAMES);
  const names = rows.map(({ name }) => name).sort();
  return `${names.join('\n')}\n`;
}

if (import.meta.main) {
  const directory = mkdtempSync(join(tmpdir(), 'edge-account-time-zones-'));
  const database = await openEmbedded({ directory: join(directory, 'database') });
  try {
    writeFileSync(
      new URL('../service/src/lib/time-zones.txt', import.meta.url),
      await renderTimeZones(database),
    );
  } finally {
    await database.close();
    rmSync(directory, { recursive: true, force: true });
  }
  console.log('service/src/lib/time-zones.txt is written.');
}
