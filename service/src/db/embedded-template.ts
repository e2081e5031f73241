/**
 * A migrated, empty data directory that `npm ci` prepares, so that the first start of the embedded
 * database copies files instead of running initdb and every migration. It is only a shortcut:
 * without it, or with one of other migrations, the first start does the work itself.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fingerprintMigrations } from './migrations.ts';

const FOLDER = new URL('../../dist/embedded-template/', import.meta.url).pathname;
const STAMP = join(FOLDER, 'made-from.txt');
const DATA = join(FOLDER, 'pg');

/** What a template depends on: the engine's version and every migration. */
function fingerprint(): string {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const { version } = JSON.parse(readFileSync(join(entry, '../../package.json'), 'utf8')) as {
    version: string;
  };
  return `${version} ${fingerprintMigrations()}`;
}

/**
 * Puts the template at `target`, which must not exist. Whole or not at all: a killed process leaves
 * no half of it.
 */
export function copyTemplate(target: string): void {
  const unfinished = `${target}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  if (existsSync(target) || !existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== fingerprint())
    return;
  cpSync(DATA, unfinished, { recursive: true });
  renameSync(unfinished, target);
}

/**
 * Makes the template. @param create makes and closes a migrated database in the given folder, as
 * `pg` in it
 */
export async function makeTemplate(create: (directory: string) => Promise<void>): Promise<void> {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  await create(FOLDER);
  writeFileSync(STAMP, fingerprint());
}
