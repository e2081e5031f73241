/**
 * Compares every purchase and refund with the transfer that paid it, and every such transfer with
 * its purchase or refund.
 */
import type { Db } from '../db/index.ts';
import { findProblems, PROBLEMS_MAX } from './find-problems.ts';

interface SalesCounts {
  readonly purchases: number;
  readonly refunds: number;
}

export interface SalesReport extends SalesCounts {
  readonly problems: readonly string[];
}

const COUNTS = `select (select count(*) from package_purchase) as purchases,
  (select count(*) from package_refund) as refunds`;

/** The buyer's wallet: of the user, or, paid outside, the account of the house for that. */
const isBuyer = (wallet: string): string => `case when p.is_external
    then ${wallet} < 0
      and (~${wallet}) / 16 = (select id from wallet_kind where code = 'external_sales')
    else ${wallet} = p.user_id::numeric * 32 + (select id from wallet_kind where code = 'asset')
  end`;

const agrees = (row: string, business: string, wallet: string): string =>
  `t.amount = ${row}.amount
    and t.currency_id = (select id from currency where code = p.currency)
    and t.business_id = (select id from transaction_type where code = '${business}')
    and ${isBuyer(wallet)}`;

const PURCHASES = `select 'purchase ' || p.id || case when t.id is null
      then ': no transfer paid for it' else ': does not agree with transfer ' || t.id end as problem
  from package_purchase p left join transfer t on t.id = p.transfer_id
  where (${agrees('p', 'package_purchase', 't.debit_wallet')}) is not true
  order by p.id limit ${PROBLEMS_MAX}`;

const REFUNDS = `select 'refund ' || r.id || case when t.id is null
      then ': no transfer paid it back' else ': does not agree with transfer ' || t.id
        end as problem
  from package_refund r
  left join package_purchase p on p.id = r.purchase_id
  left join transfer t on t.id = r.transfer_id
  where (${agrees('r', 'package_refund', 't.credit_wallet')}) is not true
  order by r.id limit ${PROBLEMS_MAX}`;

const SUM_SALES = `select
    'purchase ' || p.id || ': the refunds do not add up to what is refunded' as problem
  from package_purchase p
  left join (
    select purchase_id, sum(amount) as amount from package_refund group by 1
  ) r on r.purchase_id = p.id
  where p.refunded <> coalesce(r.amount, 0) order by p.id limit ${PROBLEMS_MAX}`;

const LOST = `select 'transfer ' || t.id || ': what it paid for is gone' as problem from transfer t
  where (t.idempotency_key like 'purchase:%' or t.idempotency_key like 'purchase/%')
      and not exists (select from package_purchase p where p.transfer_id = t.id)
    or (t.idempotency_key like 'purchase-refund:%' or t.idempotency_key like 'purchase-refund/%')
      and not exists (select from package_refund r where r.transfer_id = t.id)
  order by t.id limit ${PROBLEMS_MAX}`;

/** Compares everything of one moment. */
export async function verifySales(db: Db): Promise<SalesReport> {
  const checks = [PURCHASES, REFUNDS, SUM_SALES, LOST];
  const { counts, problems } = await findProblems<SalesCounts>(db, COUNTS, checks);
  return { ...counts, problems };
}
