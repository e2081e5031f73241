/** The one secret of an installation, from which every other key is derived by purpose (HKDF, RFC 5869). */
import { hkdfSync, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError, decodeMasterKey } from './config.ts';

export interface MasterKey {
  /** A 32-byte key for one purpose, for example `password-pepper`; the same purpose gives the same key. */
  derive(purpose: string): Buffer;
}

export function createMasterKey(bytes: Buffer): MasterKey {
  return { derive: (purpose) => Buffer.from(hkdfSync('sha256', bytes, Buffer.alloc(0), `edge-account/${purpose}`, 32)) };
}

/** Takes the key from the configuration or, with the embedded database, from `DATA_DIR/master.key` (made at the first start, mode 0600). */
export function loadMasterKey(config: Config): MasterKey {
  const configured = config.MASTER_KEY === undefined ? undefined : decodeMasterKey(config.MASTER_KEY);
  if (configured) return createMasterKey(configured);
  const path = join(config.DATA_DIR, 'master.key');
  if (!existsSync(path)) {
    mkdirSync(config.DATA_DIR, { recursive: true, mode: 0o700 });
    writeFileSync(path, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  }
  chmodSync(path, 0o600);
  const stored = decodeMasterKey(readFileSync(path, 'utf8').trim());
  if (!stored) throw new ConfigError([`${path} does not hold a 32-byte key`]);
  return createMasterKey(stored);
}
