/** The identity that every end-to-end test checks: three sums of earnings are equal. */
import { expect } from 'vitest';
import type { Db } from '../../src/db/index.ts';

const BY_BILLS = `
  select c.code as currency,
         sum(case e.direction when 1 then e.amount else -e.amount end)::text as amount
  from entry e
  join transaction_type b on b.id = e.business_id
  join currency c on c.id = e.currency_id
  where e.wallet_id in ($1 * 32::bigint + 1, $1 * 32::bigint + 2) and b.is_earning
  group by c.code
  order by c.code`;
const BY_DAYS = `
  select c.code as currency, sum(d.amount)::text as amount
  from earning_day d
  join currency c on c.id = d.currency_id
  where d.user_id = $1
  group by c.code
  order by c.code`;
const BY_TOTAL = `
  select c.code as currency, sum(t.amount)::text as amount
  from earning_total t
  join currency c on c.id = t.currency_id
  where t.user_id = $1
  group by c.code
  order by c.code`;
const BY_TYPE = `
  with wallet (id) as (values ($1 * 32::bigint + 1), ($1 * 32::bigint + 2))
  select c.code as currency, coalesce(t.reward_type, '') as type,
         sum(case when t.credit_wallet in (select id from wallet)
             then t.amount else -t.amount end)::text as amount
  from transfer t
  join transaction_type b on b.id = t.business_id
  join currency c on c.id = t.currency_id
  where (t.debit_wallet in (select id from wallet) or t.credit_wallet in (select id from wallet))
    and b.is_earning
  group by 1, 2
  order by 1, 2`;
const TOTAL_BY_TYPE = `
  select c.code as currency, t.reward_type as type, sum(t.amount)::text as amount
  from earning_total t
  join currency c on c.id = t.currency_id
  where t.user_id = $1
  group by 1, 2
  order by 1, 2`;

/**
 * Total earnings = signed sum of reward and referral bills = sum of earnings by date = ledger, by
 * currency and by type.
 */
export async function checkEarningsIdentity(db: Db, userId: number): Promise<void> {
  const [bills, days, totals, byType, totalByType] = await Promise.all(
    [BY_BILLS, BY_DAYS, BY_TOTAL, BY_TYPE, TOTAL_BY_TYPE].map(
      async (query) => (await db.query(query, [userId])).rows,
    ),
  );
  expect(days, 'earnings by date = bills').toEqual(bills);
  expect(totals, 'total earnings = bills').toEqual(bills);
  expect(totalByType, 'rewards by type = ledger').toEqual(byType);
}
