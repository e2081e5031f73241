/** The stop button: nothing of a currency is requested, approved or taken by the signer. */
import { type Db, queryNamed, transaction } from '../db/index.ts';
import { findCurrency } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { fieldError } from '../lib/failures.ts';
import { lockDecisions, recordDecision } from './decisions.ts';

export interface CurrencyStop {
  readonly currency: string;
  readonly reason: string;
  readonly stopped_by: string;
  readonly stopped_at: string;
}

/** The currencies whose payouts are stopped. */
export async function listStops(db: Db): Promise<CurrencyStop[]> {
  const { rows } = await db.query<Omit<CurrencyStop, 'stopped_at'> & { stopped_at: Date }>(
    'select * from payout_stop order by currency',
  );
  return rows.map((row) => ({ ...row, stopped_at: row.stopped_at.toISOString() }));
}

export interface StopOrder {
  readonly currency: string;
  readonly reason: string;
  readonly by: string;
}

/**
 * Stops the payouts of a currency. Repeating it keeps the first stop.
 * @throws `invalid_parameter`
 */
export async function stopCurrency(
  db: Db,
  clock: Clock,
  { currency, reason, by }: StopOrder,
): Promise<CurrencyStop[]> {
  return transaction(db, async (tx) => {
    if (!(await findCurrency(tx, currency)))
      throw fieldError('currency', 'unknown_currency', 'is not known');
    await lockDecisions(tx);
    const { rowCount } = await queryNamed(
      tx,
      `insert into payout_stop (currency, reason, stopped_by, stopped_at)
       values (:currency, :reason, :by, :now)
       on conflict (currency) do nothing`,
      { currency, reason, by, now: clock.now() },
    );
    const details = { currency, reason };
    if (rowCount > 0)
      await recordDecision(tx, clock, { decision: 'currency_stopped', decidedBy: by, details });
    return listStops(tx);
  });
}

/** Lets the payouts of a currency continue. Harmless when repeated. */
export async function resumeCurrency(
  db: Db,
  clock: Clock,
  { currency, by }: Pick<StopOrder, 'currency' | 'by'>,
): Promise<CurrencyStop[]> {
  return transaction(db, async (tx) => {
    await lockDecisions(tx);
    const { rowCount } = await tx.query('delete from payout_stop where currency = $1', [currency]);
    const details = { currency };
    if (rowCount > 0)
      await recordDecision(tx, clock, { decision: 'currency_resumed', decidedBy: by, details });
    return listStops(tx);
  });
}
