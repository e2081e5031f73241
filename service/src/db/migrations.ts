/** The migrations as they lie in `service/migrations/`, in the order in which they are applied. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('../../migrations/', import.meta.url);

export interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

export function readMigrations(): Migration[] {
  const names = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  return names.map((name) => {
    const sql = readFileSync(new URL(name, FOLDER), 'utf8');
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
  });
}

/** One line for all of them. */
export function fingerprintMigrations(): string {
  const lines = readMigrations().map(({ name, checksum }) => `${name} ${checksum}`);
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}
