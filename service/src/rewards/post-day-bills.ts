/** Posts the bills of a payment, a range of users in each transaction. */
import {
  type Database,
  defineStatement,
  executeUnprepared,
  queryNamed,
  type Transaction,
  transaction,
} from '../db/index.ts';
import { BATCH_MAX, type Posting, postTransfers } from '../ledger/index.ts';
import { startOfDay } from '../lib/calendar.ts';
import { NO_END } from './buckets.ts';
import { type DayBillName, dayBillKey, daySql } from './day-bills.ts';
import { businessOfReward } from './reward-types.ts';
import { HOUR_MS } from './rules.ts';
import { runWorkers } from './run-workers.ts';
import type { Settlement } from './settlements.ts';

interface DayBill extends Omit<DayBillName, 'paymentId'> {
  readonly nodeId: string;
  /** Minor units; never 0. */
  readonly amount: string;
}

/** The settlements whose lines are paid, and in which hours the lines are. */
interface PaidLines {
  readonly batches: readonly number[];
  readonly from: Date;
  readonly before: Date;
}

/** Users of a step. */
interface Step {
  readonly firstUser: string;
  readonly nextUser: string;
}

const LOCK_STEP = `select first_user::text as "firstUser",
    coalesce(next_user::text, :no_end) as "nextUser"
  from reward_payment_step where payment_id = :payment
  order by first_user limit 1 for update skip locked`;

/** The lines of one user after another, by the index of lines by user and hour. */
const LINES = `(select id from app_user where id >= :first_user and id < :next_user) u
    cross join lateral (
      select * from reward_line where user_id = u.id and hour >= :from and hour < :before
        and batch_id = any(:batches::bigint[]) and status = 'paid' offset 0
    ) l`;

/** Lines that cancel out have no bill: the ledger has no transfer of zero. */
const BILLS = defineStatement(
  'rewards_day_bills',
  `select l.user_id as "userId", ${daySql('l')} as day, l.reward_type as "rewardType",
    coalesce(l.device_id, 0) as "deviceId", max(l.node_id) as "nodeId",
    sum(l.amount)::text as amount
  from ${LINES}
  group by 1, 2, 3, 4 having sum(l.amount) <> 0 order by 1, 2, 3, 4`,
);

/** Records the lines of bills that the ledger refused, with the reason that their users see. */
const REFUSE_LINES = defineStatement(
  'rewards_refuse_day_lines',
  `insert into reward_refusal (batch_id, leaf, code)
  select l.batch_id, l.leaf, r.code
  from unnest(
      :users::bigint[], :days::text[], :types::text[], :devices::bigint[], :codes::text[]
    ) as r (user_id, day, reward_type, device_id, code)
    cross join lateral (
      select * from reward_line where user_id = r.user_id and hour >= :from and hour < :before
        and batch_id = any(:batches::bigint[]) and status = 'paid' offset 0
    ) l
  where ${daySql('l')} = r.day and l.reward_type = r.reward_type
    and coalesce(l.device_id, 0) = r.device_id`,
);

function toPosting(bill: DayBill, paymentId: number, currency: string): Posting {
  const user = { userId: bill.userId, wallet: 'bonus' } as const;
  const house = { house: 'reward_pool' } as const;
  const amount = BigInt(bill.amount);
  const isPayment = amount > 0n;
  return {
    idempotencyKey: dayBillKey({ paymentId, ...bill }),
    debit: isPayment ? house : user,
    credit: isPayment ? user : house,
    currency,
    amount: isPayment ? amount : -amount,
    businessId: businessOfReward(bill.rewardType),
    eventAt: startOfDay(bill.day),
    rewardType: bill.rewardType,
    ...(bill.nodeId !== '' && { nodeId: bill.nodeId }),
    // Penalties and corrections are posted even when the balance is too small.
    ...(!isPayment && { mayOverdraw: true }),
  };
}

async function refuseBills(
  tx: Transaction,
  lines: PaidLines,
  refused: readonly { readonly bill: DayBill; readonly code: string }[],
): Promise<void> {
  if (refused.length === 0) return;
  await executeUnprepared(tx, REFUSE_LINES, {
    ...lines,
    users: refused.map(({ bill }) => bill.userId),
    days: refused.map(({ bill }) => bill.day),
    types: refused.map(({ bill }) => bill.rewardType),
    devices: refused.map(({ bill }) => bill.deviceId),
    codes: refused.map(({ code }) => code),
  });
}

/**
 * The hours of corrections: their lines stand in the order of their hours, so that the first and
 * the last one of each tell, whatever number lies between.
 */
const CORRECTED_HOURS = `select min(l.hour) as from, max(l.hour) as last
  from unnest($1::bigint[]) as b (id)
    cross join lateral (
      (select hour from reward_line where batch_id = b.id order by leaf limit 1)
      union all
      (select hour from reward_line where batch_id = b.id order by leaf desc limit 1)
    ) l`;

/** In which hours the lines of settlements are; undefined: they have none. */
async function findPaidLines(
  database: Database,
  settlements: readonly Settlement[],
): Promise<PaidLines | undefined> {
  // Lines of a settlement that an operator closed are refused.
  const paid = settlements.filter(({ closedAt, lines }) => closedAt === null && lines > 0);
  const hours = paid.flatMap(({ kind, hour }) => (kind === 'hour' ? hour.getTime() : []));
  const corrections = paid.flatMap(({ kind, id }) => (kind === 'hour' ? [] : id));
  if (corrections.length > 0) {
    const { rows } = await database.query<{ from: Date | null; last: Date | null }>(
      CORRECTED_HOURS,
      [corrections],
    );
    hours.push(...[rows[0]?.from, rows[0]?.last].flatMap((hour) => hour?.getTime() ?? []));
  }
  if (hours.length === 0) return undefined;
  return {
    batches: paid.map(({ id }) => id),
    from: new Date(Math.min(...hours)),
    before: new Date(Math.max(...hours) + HOUR_MS),
  };
}

export interface DayPayment {
  readonly paymentId: number;
  /** What it pays. */
  readonly settlements: readonly Settlement[];
  readonly currency: string;
}

/**
 * Posts the bills of one step that no worker posts. The step is deleted in the same transaction.
 * @returns false when there is none
 */
async function postStep(
  database: Database,
  { paymentId, currency }: DayPayment,
  lines: PaidLines,
): Promise<boolean> {
  return transaction(database, async (tx) => {
    const values = { payment: paymentId, no_end: NO_END };
    const step = (await queryNamed<Step>(tx, LOCK_STEP, values)).rows[0];
    if (!step) return false;
    const users = { first_user: step.firstUser, next_user: step.nextUser };
    const { rows: bills } = await executeUnprepared<DayBill>(tx, BILLS, { ...lines, ...users });
    for (let i = 0; i < bills.length; i += BATCH_MAX) {
      const some = bills.slice(i, i + BATCH_MAX);
      const results = await postTransfers(
        tx,
        some.map((bill) => toPosting(bill, paymentId, currency)),
      );
      const refused = some.flatMap((bill, n) => {
        const result = results[n];
        return result?.status === 'refused' ? { bill, code: result.code } : [];
      });
      await refuseBills(tx, lines, refused);
    }
    await queryNamed(
      tx,
      'delete from reward_payment_step where payment_id = :payment and first_user = :first_user',
      { payment: paymentId, first_user: step.firstUser },
    );
    return true;
  });
}

/**
 * Posts the bills of a payment that are not posted yet.
 * @returns false while another instance posts some of them
 */
export async function postDayBills(database: Database, payment: DayPayment): Promise<boolean> {
  const lines = await findPaidLines(database, payment.settlements);
  if (lines) await runWorkers(database, () => postStep(database, payment, lines));
  else
    await database.query('delete from reward_payment_step where payment_id = $1', [
      payment.paymentId,
    ]);
  const { rowCount } = await database.query(
    'select from reward_payment_step where payment_id = $1 limit 1',
    [payment.paymentId],
  );
  return rowCount === 0;
}
