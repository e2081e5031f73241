/** DPoP proofs that were taken: each serves once, whichever node it is shown to. */
import type { Db } from '../../db/index.ts';
import { hashSecret } from '../../lib/ids.ts';

/** Takes a proof; false when it was taken before. */
export type TakeProof = (id: string, expiresAt: Date) => Promise<boolean>;

const TAKE = 'insert into dpop_proof (id, expires_at) values ($1, $2) on conflict (id) do nothing';

export function createTakeProof(db: Db): TakeProof {
  return async (id, expiresAt) => (await db.prepared('take-proof', TAKE, [hashSecret(id), expiresAt])).rowCount === 1;
}

/** Forgets proofs that have expired, a bounded number at a time. */
export async function deleteExpiredProofs(db: Db, at: Date, limit: number): Promise<void> {
  await db.query('delete from dpop_proof where id in (select id from dpop_proof where expires_at < $1 order by expires_at limit $2 for update skip locked)', [
    at,
    limit,
  ]);
}
