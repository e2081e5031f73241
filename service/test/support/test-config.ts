/** A configuration and platform for tests: loopback, quiet, a fixed key. */
import { type Config, readConfig } from '../../src/config.ts';
import { createMasterKey, type MasterKey } from '../../src/master-key.ts';

export function testConfig(overrides: Record<string, string> = {}): Config {
  return readConfig({ LOG_LEVEL: 'silent', ...overrides });
}

export const testMasterKey: MasterKey = createMasterKey(Buffer.alloc(32, 7));
