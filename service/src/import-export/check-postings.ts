/**
 * Rejects balances and bills that the ledger would refuse, so that a dry run reports them, too. A
 * refused posting would also keep its idempotency key, and a corrected bill could never come in.
 */
import type { Db } from '../db/index.ts';
import { AMOUNT_MAX } from '../lib/money.ts';
import type { Reject } from './parse-row.ts';
import { insertRejects } from './stage.ts';
import { NOT_REJECTED, reject, runAll, unlimited } from './stage-sql.ts';

/** The bills of each wallet and currency: those of the files, and those that were imported. */
const BILL_SUMS = `create unlogged table import_bill_sum as
  select coalesce(file.key, before.key) as key,
    coalesce(file.amount, 0) + coalesce(before.amount, 0) as amount
  from (
    select user_id || '/' || wallet || '/' || currency as key, sum(amount) as amount
    from import_stage s where file = 'bills' and ${NOT_REJECTED('s')} group by 1
  ) file
  full join (
    select substring(key from '^[^/]+/[^/]+/[^/]+') as key, sum(amount) as amount
    from imported_row i where file = 'bills' and not exists (
      select from import_stage s
      where s.file = 'bills' and s.key = i.key and ${NOT_REJECTED('s')})
    group by 1
  ) before on before.key = file.key`;

/** Sums the bills by wallet and currency, without what is rejected by now. */
export async function sumBills(db: Db): Promise<void> {
  await unlimited(db, (tx) =>
    runAll(tx, [
      'drop table if exists import_bill_sum',
      BILL_SUMS,
      'create index import_bill_sum_key on import_bill_sum (key)',
      'analyze import_bill_sum',
    ]),
  );
}

/** What the opening posting of a balance moves. */
const OPENING_TOO_LARGE = reject(`select s.file, s.line, 'amount', 'invalid_amount',
    'differs from its bills by more than one posting can move'
  from import_stage s
  left join import_bill_sum b on b.key = s.key
  left join imported_row i on i.file = s.file and i.key = s.key
  where s.file = 'balances' and ${NOT_REJECTED('s')}
    and abs(s.amount - coalesce(b.amount, 0) - coalesce(i.amount, 0)) > $1::numeric`);

/** New bills of the accounts whose counter would be below zero at some bill, if all were posted. */
const COUNTED = `create unlogged table import_counter as
  with counted as (
    select s.line, s.user_id, s.wallet, s.currency, s.counter, s.counter_change as change,
      sum(s.counter_change) over (
        partition by s.user_id, s.wallet, s.currency, s.counter order by s.line) as sum
    from import_stage s
    where s.file = 'bills' and s.counter is not null and ${NOT_REJECTED('s')}
      and not exists (select from imported_row i where i.file = s.file and i.key = s.key)
  )
  select row_number() over (order by user_id, wallet, currency, counter, line)::int as position,
    line, format('%s/%s/%s/%s', user_id, wallet, currency, counter) as account, change,
    coalesce((
      select case counter when 'deposited' then a.deposited else a.withdrawn end from account a
      join wallet_kind k on k.code = l.wallet join currency c on c.code = l.currency
      where a.wallet_id = l.user_id * 32 + k.id and a.currency_id = c.id
    ), 0) as before
  from counted l join (
    select user_id, wallet, currency, counter from counted
    group by 1, 2, 3, 4 having min(sum) < 0
  ) low using (user_id, wallet, currency, counter)`;

interface CountedBill {
  readonly position: number;
  readonly line: number;
  /** Account and counter. */
  readonly account: string;
  readonly change: string;
  /** The counter before the first bill of the account. */
  readonly before: string;
}

const PAGE_ROWS = 1000;
const NEXT = `select * from import_counter where position > $1
  order by position limit ${PAGE_ROWS}`;

const toReject = ({ line }: CountedBill): Reject => ({
  file: 'bills',
  line,
  field: 'amount',
  code: 'counter_negative',
  message: 'would take what the account has deposited or withdrawn below zero',
});

/** Counts the bills of an account one after the other, as the ledger will, without refused ones. */
async function rejectNegativeCounters(db: Db): Promise<void> {
  let account = '';
  let counter = 0n;
  for (let position = 0; ; ) {
    const { rows } = await db.query<CountedBill>(NEXT, [position]);
    const rejects: Reject[] = [];
    for (const row of rows) {
      if (row.account !== account) counter = BigInt(row.before);
      account = row.account;
      const next = counter + BigInt(row.change);
      if (next < 0n) rejects.push(toReject(row));
      else counter = next;
    }
    await insertRejects(db, rejects);
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_ROWS) return;
    position = last.position;
  }
}

/** Other rows are checked by now. */
export async function checkPostings(db: Db): Promise<void> {
  await unlimited(db, (tx) =>
    runAll(tx, [COUNTED, 'create index import_counter_position on import_counter (position)']),
  );
  await rejectNegativeCounters(db);
  await sumBills(db);
  await unlimited(db, (tx) => tx.query(OPENING_TOO_LARGE, [String(AMOUNT_MAX)]));
}
