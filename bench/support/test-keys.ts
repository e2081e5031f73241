/** Signing keys on an embedded database in memory. */
import { migrate, openEmbedded } from '../../service/src/db/index.ts';
import { createTokenExpiry } from '../../service/src/identity/index.ts';
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
  const expiry = createTokenExpiry({
    ...{ database, clock: systemClock, onError: console.error },
    longestToken_ms: config.LOGIN_TOKEN_TTL * 1000,
  });
  return {
    sign: createSignToken({ keys, clock: systemClock, issuer: config.BASE_URL, expiry }),
    close: () => database.close(),
  };
}
