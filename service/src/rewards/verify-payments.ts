/** Compares the bills of days with the lines that they pay. */
import { defineStatement, executeUnprepared, queryNamed, type Transaction } from '../db/index.ts';
import { dayBillKeySql, daySql } from './day-bills.ts';
import { WALLETS_PER_USER } from './reward-lines.ts';
import { IS_SETTLED_SINCE, type SettledSince, sinceValues } from './settlements.ts';

/**
 * Lines of a user, day, reward type and device without a bill, or with another one. Lines that
 * cancel out have none.
 */
const WRONG_BILLS = defineStatement(
  'reward_wrong_day_bills',
  `select 'reward_payment ' || :payment::bigint || ' of user ' || s.user_id || ' on ' || s.day
      || ' (' || s.reward_type || ') ' || case
        when t.id is null then 'has no bill' else 'does not agree with transfer ' || t.id
      end as problem
  from (
      select ${dayBillKeySql('l', ':payment::bigint')} as key, l.user_id, ${daySql('l')} as day,
        l.reward_type, max(l.node_id) as node_id, sum(l.amount) as amount
      from reward_batch b join reward_line l on l.batch_id = b.id
      where b.payment_id = :payment and b.closed_at is null and l.status = 'paid'
        and not exists (
          select from reward_refusal r where r.batch_id = l.batch_id and r.leaf = l.leaf
        )
      group by 1, 2, 3, 4 having sum(l.amount) <> 0
    ) s
    left join transfer t on t.idempotency_key = s.key
  where t.id is null or t.amount <> abs(s.amount)
    or t.event_at <> s.day::date::timestamp at time zone 'UTC'
    or t.reward_type is distinct from s.reward_type or coalesce(t.node_id, '') <> s.node_id
    or case when s.amount > 0 then t.credit_wallet else t.debit_wallet end / ${WALLETS_PER_USER}
      <> s.user_id
  order by s.key limit 10`,
);

/**
 * A payment that has lines in the archive is left out: the root over its lines has their bills.
 * @param since of settlements that were settled since; null: all
 */
export async function checkPayments(
  tx: Transaction,
  since: SettledSince | null,
): Promise<string[]> {
  const { rows: payments } = await queryNamed<{ id: number }>(
    tx,
    `select distinct payment_id as id from reward_batch b
      where payment_id is not null and state = 'settled'
        and ${IS_SETTLED_SINCE}
        and not exists (
          select from reward_batch a
          where a.payment_id = b.payment_id and a.moved_at is not null
        )
      order by 1`,
    sinceValues(since),
  );
  const problems: string[] = [];
  for (const { id } of payments) {
    const { rows } = await executeUnprepared<{ problem: string }>(tx, WRONG_BILLS, {
      payment: id,
    });
    problems.push(...rows.map(({ problem }) => problem));
  }
  return problems;
}
