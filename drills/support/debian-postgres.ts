/** PostgreSQL of the system: the package from npm lacks programs that tools of operators run. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const INSTALLED = '/usr/lib/postgresql';

/** The folder of the newest version's programs. */
export function findDebianPostgres(): string | undefined {
  if (!existsSync(INSTALLED)) return undefined;
  const newest = readdirSync(INSTALLED).sort((a, b) => Number(a) - Number(b));
  const folder = join(INSTALLED, newest.at(-1) ?? '', 'bin');
  return existsSync(join(folder, 'pg_rewind')) ? folder : undefined;
}
