/** The subject of a user at an application that is not first-party. */
import type { MasterKey } from '../../src/master-key.ts';
import { createApplicationIdentity } from '../../src/oidc/tokens/application-identity.ts';
import { testMasterKey } from './test-config.ts';

export function pairwiseSubject(
  sector: string,
  userId: number,
  masterKey: MasterKey = testMasterKey,
): string {
  const application = { clientId: '', sector, isFirstParty: false };
  return createApplicationIdentity(masterKey).subjectOf(application, userId);
}
