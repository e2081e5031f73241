/** Payouts that have not ended, by what they wait for. */
import type { Db } from '../db/index.ts';
import type { Metrics } from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';

interface WaitingPayouts {
  readonly reason_code: string;
  readonly count: number;
  readonly oldest_at: Date;
}

/** Payouts that have not ended, by what they wait for; an index has only these. */
export async function readWaitingPayouts(db: Db): Promise<WaitingPayouts[]> {
  const { rows } = await db.query<WaitingPayouts>(
    `select case when is_held then 'currency_stopped' else reason_code end as reason_code,
       count(*)::int as count, min(updated_at) as oldest_at
     from payout cross join lateral (select payout.status in ('approved', 'signed') and exists (
       select from payout_stop where payout_stop.currency = payout.currency) as is_held) held
     where status in ('requested', 'in_review', 'approved', 'signed', 'sent') group by 1`,
  );
  return rows;
}

/** Always shown, also without such payouts: alerts are about them. */
const ALERTED = { transaction_mismatch: 0, waits_for_hot_wallet: 0 };

export function registerPayoutMetrics(metrics: Metrics, db: Db, clock: Clock): void {
  metrics.gauge(
    'edge_account_payouts',
    'Payouts that have not ended, by reason code; currency_stopped: an operator stopped them.',
    'reason',
    async () => ({
      ...ALERTED,
      ...Object.fromEntries(
        (await readWaitingPayouts(db)).map((one) => [one.reason_code, one.count]),
      ),
    }),
  );
  metrics.gauge(
    'edge_account_payout_oldest_seconds',
    'How long ago the first of them came to be so, by reason code.',
    'reason',
    async () => {
      const ageOf = ({ oldest_at }: WaitingPayouts): number =>
        Math.max(0, (clock.now().getTime() - oldest_at.getTime()) / 1000);
      const ages = (await readWaitingPayouts(db)).map((one) => [one.reason_code, ageOf(one)]);
      return { ...ALERTED, ...Object.fromEntries(ages) };
    },
  );
}
