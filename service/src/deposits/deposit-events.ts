/** Each change of a deposit is an event: `deposit.confirming`, `deposit.credited`, `deposit.orphaned` and so on. */
import type { Transaction } from '../db/index.ts';
import { recordEvents } from '../events/index.ts';
import type { Clock } from '../lib/clock.ts';
import { readDeposits, toDepositRecord } from './queries.ts';

/** Records what these deposits are now, in the transaction that changed them. */
export async function recordDepositEvents(
  tx: Transaction,
  clock: Clock,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  const rows = await readDeposits(tx, ids);
  await recordEvents(
    tx,
    clock,
    rows.map((row) => ({
      userId: row.user_id,
      type: `deposit.${row.status}`,
      data: { ...toDepositRecord(row), user_id: row.user_id },
    })),
  );
}
