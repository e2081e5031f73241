/**
 * Deletes signing keys that no token needs any more. A job of its own: a clock that is ahead would
 * delete a key whose tokens are still in use, and must not keep others from rotating.
 */
import {
  ADVISORY_LOCKS,
  type Database,
  queryNamed,
  takeLock,
  transaction,
} from '../../db/index.ts';
import type { Job } from '../../jobs/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { notifyKeysChanged } from './rotate-keys.ts';

const EVERY_MS = 300_000;

async function deleteRetiredKeys(database: Database, clock: Clock): Promise<void> {
  await transaction(database, async (tx) => {
    await takeLock(tx, ADVISORY_LOCKS.signingKeys);
    const { rowCount } = await queryNamed(
      tx,
      "delete from signing_key where state = 'retiring' and removes_at <= :now",
      { now: clock.now() },
    );
    if (rowCount > 0) await notifyKeysChanged(tx);
  });
}

export function createRetiredKeyRemoval(database: Database, clock: Clock): Job {
  return {
    name: 'delete-retired-keys',
    every_ms: EVERY_MS,
    isExclusive: false,
    deletesByTime: true,
    run: () => deleteRetiredKeys(database, clock),
  };
}
