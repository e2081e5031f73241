/** What a verification has seen, for the one after it. */
import type { Db } from '../../db/index.ts';
import { listHeads } from '../signed-heads.ts';
import type { VerifiedPlace } from './verified-place.ts';
import { hashOf } from './verify-heads.ts';
import type { Walk } from './verify-rows.ts';

export interface PlaceOfReport {
  /** All that was posted before was read (ISO 8601). */
  readonly verified_until: string;
  /** Where that is in the chain. The audit log is read apart. */
  readonly place: Omit<VerifiedPlace, 'audit'>;
}

/**
 * @param walks where the replay of each shard ended
 * @param now before the snapshot of the verification was taken
 */
export async function seePlace(db: Db, walks: readonly Walk[], now: Date): Promise<PlaceOfReport> {
  const [head] = await listHeads(db, { limit: 1 });
  const verified_until = now.toISOString();
  const place = {
    verified_until,
    shards: walks.map((walk) => ({ ...walk, mac: walk.mac.toString('hex') })),
    head: head ? { day: head.day, hash: hashOf(head) } : null,
  };
  return { verified_until, place };
}
