/** Signing keys on an embedded database in memory. */
import { migrate, openEmbedded } from '../../service/src/db/index.ts';
import { systemClock } from '../../service/src/lib/clock.ts';
import {
  createSignToken,
  KeyRing,
  keyPolicyOf,
  maintainKeys,
  type SignToken,
} from '../../service/src/oidc/index.ts';
import { testConfig, testMasterKey } from '../../service/test/support/test-config.ts';

export async function openTestKeys(): Promise<{ sign: SignToken; close: () => Promise<void> }> {
  const database = await openEmbedded({});
  await migrate(database);
  const config = testConfig();
  const ensure = () => maintainKeys(database, systemClock, testMasterKey, keyPolicyOf(config));
  const keys = new KeyRing(database, testMasterKey, ensure, console.error);
  await keys.current();
  return {
    sign: createSignToken(keys, systemClock, config.BASE_URL),
    close: () => database.close(),
  };
}
