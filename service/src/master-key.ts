/** The secret of an installation; all other keys are derived from it (HKDF, RFC 5869). */
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
  /** The 32-byte key of one purpose, for example `password-pepper`. */
  derive(purpose: string): Buffer;
}

export function createMasterKey(bytes: Buffer): MasterKey {
  return {
    derive: (purpose) =>
      Buffer.from(hkdfSync('sha256', bytes, Buffer.alloc(0), `edge-account/${purpose}`, 32)),
  };
}

/** Creates the directory of the embedded database, mode 0700. @throws ConfigError */
function makeDataDirectory(directory: string): void {
  // mkdir below /proc never returns, so the nearest existing parent is checked first.
  let parent = resolve(directory);
  while (!existsSync(parent) && dirname(parent) !== parent) parent = dirname(parent);
  try {
    if (!statSync(parent).isDirectory()) throw new Error('a part of its path is not a directory');
    accessSync(parent, constants.W_OK | constants.X_OK);
    if (parent.startsWith('/proc')) throw new Error('nothing can be stored there');
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError([`DATA_DIR ${directory} cannot be used: ${reason}`]);
  }
}

/**
 * Loads the key from the configuration or, with the embedded database, from `DATA_DIR/master.key`,
 * which it creates (mode 0600). Call it before the database is created.
 * @throws ConfigError when the key of an existing database is missing: a new one could not read it
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
        `${path} is missing, and without it this database cannot be read: ` +
          'restore it from your backup',
      ]);
    writeFileSync(path, `${randomBytes(32).toString('base64url')}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
  }
  chmodSync(path, 0o600);
  const stored = decodeMasterKey(readFileSync(path, 'utf8').trim());
  if (!stored) throw new ConfigError([`${path} does not contain a 32-byte key`]);
  return createMasterKey(stored);
}
