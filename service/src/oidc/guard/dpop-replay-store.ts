/** DPoP proofs that were taken: each serves once, whichever node it is shown to. */
import type { Db } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { hashSecret } from '../../lib/ids.ts';

/** Takes a proof; false when it was taken before. */
export type RecordDpopJti = (id: string, expiresAt: Date) => Promise<boolean>;

const TAKE = 'insert into dpop_proof (id, expires_at) values ($1, $2) on conflict (id) do nothing';

export function createTakeProof(db: Db): RecordDpopJti {
  return async (id, expiresAt) =>
    (await db.prepared('take-proof', TAKE, [hashSecret(id), expiresAt])).rowCount === 1;
}

/**
 * As `createTakeProof`, of this process alone and in memory. Two generations, each as long as a proof lives: what is in
 * neither has expired.
 */
export function createTakeProofHere(clock: Clock, life_ms: number): RecordDpopJti {
  let young = new Set<string>();
  let old = new Set<string>();
  let bornAt_ms = clock.now().getTime();
  return async (id) => {
    const age_ms = clock.now().getTime() - bornAt_ms;
    // Below zero: the clock was set back.
    if (age_ms >= life_ms || age_ms < 0) {
      old = young;
      young = new Set();
      bornAt_ms += age_ms;
    }
    if (young.has(id) || old.has(id)) return false;
    young.add(id);
    return true;
  };
}

/** Forgets proofs that have expired, a bounded number at a time. */
export async function deleteExpiredProofs(db: Db, at: Date, limit: number): Promise<void> {
  await db.query(
    'delete from dpop_proof where id in (select id from dpop_proof where expires_at < $1 order by expires_at limit $2 for update skip locked)',
    [at, limit],
  );
}
