/** The one secret of an installation, from which every other key is derived by purpose (HKDF, RFC 5869). */
import { hkdfSync, randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Config, ConfigError, decodeMasterKey } from './config.ts';

export interface MasterKey {
  /** A 32-byte key for one purpose, for example `password-pepper`; the same purpose gives the same key. */
  derive(purpose: string): Buffer;
}

export function createMasterKey(bytes: Buffer): MasterKey {
  return {
    derive: (purpose) =>
      Buffer.from(hkdfSync('sha256', bytes, Buffer.alloc(0), `edge-account/${purpose}`, 32)),
  };
}

/** Makes the folder of the embedded database, private to its owner. @throws ConfigError naming DATA_DIR */
function makeDataDirectory(directory: string): void {
  // Node.js never returns from making a folder below /proc, so the nearest parent that exists is looked at first.
  let parent = resolve(directory);
  while (!existsSync(parent) && dirname(parent) !== parent) parent = dirname(parent);
  try {
    if (!statSync(parent).isDirectory()) throw new Error('a part of its path is no folder');
    accessSync(parent, constants.W_OK | constants.X_OK);
    if (parent.startsWith('/proc')) throw new Error('nothing can be stored there');
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new ConfigError([
      `DATA_DIR ${directory} cannot be used: ${error instanceof Error ? error.message : String(error)}`,
    ]);
  }
}

/**
 * Takes the key from the configuration or, with the embedded database, from `DATA_DIR/master.key`, made (mode 0600)
 * before the database is. Call it before the database is opened.
 * @throws ConfigError when there is a database but its key is gone: another key could read nothing of it
 */
export function loadMasterKey(config: Config): MasterKey {
  if (config.DATABASE_URL === undefined) makeDataDirectory(config.DATA_DIR);
  const configured =
    config.MASTER_KEY === undefined ? undefined : decodeMasterKey(config.MASTER_KEY);
  if (configured) return createMasterKey(configured);
  const path = join(config.DATA_DIR, 'master.key');
  if (!existsSync(path)) {
    if (existsSync(join(config.DATA_DIR, 'database', 'pg')))
      throw new ConfigError([
        `${path} is missing, and without it this database cannot be read: restore it from your backup`,
      ]);
    writeFileSync(path, `${randomBytes(32).toString('base64url')}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
  }
  chmodSync(path, 0o600);
  const stored = decodeMasterKey(readFileSync(path, 'utf8').trim());
  if (!stored) throw new ConfigError([`${path} does not hold a 32-byte key`]);
  return createMasterKey(stored);
}
