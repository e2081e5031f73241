/**
 * Each change of a deposit is an event: `deposit.confirming`, `deposit.credited`,
 * `deposit.orphaned` and so on.
 */
import type { Transaction } from '../db/index.ts';
import { recordEvents } from '../events/index.ts';
import type { Clock } from '../lib/clock.ts';
import { readDeposits, toDepositRecord } from './queries.ts';

const EVENTS_MAX = 1000;

/** Records the state of these deposits, in the transaction that changed them. */
export async function recordDepositEvents(
  tx: Transaction,
  clock: Clock,
  changed: readonly { readonly id: number }[],
): Promise<void> {
  for (let at = 0; at < changed.length; at += EVENTS_MAX) {
    const ids = changed.slice(at, at + EVENTS_MAX).map(({ id }) => id);
    const events = (await readDeposits(tx, ids)).map((row) => ({
      userId: row.user_id,
      type: `deposit.${row.status}` as const,
      data: { ...toDepositRecord(row), user_id: row.user_id },
    }));
    await recordEvents(tx, clock, events);
  }
}
