import { type Database, LOCK_TIMEOUT_MS, transaction } from '../db/index.ts';
import { closeHold } from './cancel-hold.ts';
import { findExpired } from './holds.ts';
import { getLedgerContext } from './ledger-context.ts';

const CHUNK = 100;

/**
 * Job: releases what is held past its time. Each hold in a transaction of its own; safe to kill and
 * to run again. One that fails keeps none of the others.
 * @throws AggregateError of those that failed, once all were tried
 */
export async function expireHolds(database: Database): Promise<number> {
  const now = getLedgerContext(database).clock.now();
  const failures: unknown[] = [];
  let released = 0;
  for (let after = 0; ; ) {
    const expired = await findExpired(database, now, after, CHUNK);
    for (const id of expired) {
      // One locked account must not delay the others; the next run tries it again.
      await transaction(
        database,
        (tx) => closeHold(tx, 'expire', { holdId: id, idempotencyKey: `expire:${id}` }),
        { lockTimeout_ms: LOCK_TIMEOUT_MS.short },
      ).then(
        () => released++,
        (reason: unknown) =>
          failures.push(new Error(`the hold ${id} was not released`, { cause: reason })),
      );
    }
    after = expired.at(-1) ?? after;
    if (expired.length < CHUNK) break;
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} holds were not released`);
  return released;
}
