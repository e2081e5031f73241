/** Replay detection of DPoP proofs: each is accepted once, on any instance. */
import { type Db, defineStatement, execute } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { hashSecret } from '../../lib/ids.ts';

/** Records the `jti` of a proof; false when it is recorded already. */
export type RecordDpopJti = (id: string, expiresAt: Date) => Promise<boolean>;

const INSERT_PROOF = defineStatement(
  'insert-dpop-proof',
  'insert into dpop_proof (id, expires_at) values (:id, :expires_at) on conflict (id) do nothing',
);

export function createSharedJtiStore(db: Db): RecordDpopJti {
  return async (id, expiresAt) => {
    const values = { id: hashSecret(id), expires_at: expiresAt };
    return (await execute(db, INSERT_PROOF, values)).rowCount === 1;
  };
}

/**
 * As `createSharedJtiStore`, in the memory of this process. Two generations, each as long as a
 * proof is accepted: what is in neither has expired.
 */
export function createLocalJtiStore(clock: Clock, life_ms: number): RecordDpopJti {
  let recent = new Set<string>();
  let older = new Set<string>();
  let startedAt_ms = clock.now().getTime();
  return async (id) => {
    const age_ms = clock.now().getTime() - startedAt_ms;
    // Below zero: the clock was set back.
    if (age_ms >= life_ms || age_ms < 0) {
      older = recent;
      recent = new Set();
      startedAt_ms += age_ms;
    }
    if (recent.has(id) || older.has(id)) return false;
    recent.add(id);
    return true;
  };
}
