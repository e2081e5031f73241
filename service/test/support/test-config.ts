/** A configuration and platform for tests: loopback, quiet, a fixed key. */
import { type Config, readConfig } from '../../src/config.ts';
import { createMasterKey, type MasterKey } from '../../src/master-key.ts';

/** Cheap password hashes: tests make many sign-ins. */
export const CHEAP_HASHES = { PASSWORD_HASH_MEMORY: '19456', PASSWORD_HASH_PASSES: '2' };

export function testConfig(overrides: Record<string, string> = {}): Config {
  return readConfig({ LOG_LEVEL: 'silent', ...CHEAP_HASHES, ...overrides });
}

export const testMasterKeyBytes = Buffer.alloc(32, 7);

export const testMasterKey: MasterKey = createMasterKey(testMasterKeyBytes);
