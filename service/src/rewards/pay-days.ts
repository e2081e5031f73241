/** Pays the hours of days that are over, together. A killed run is resumed. */
import { type Database, type Db, queryNamed, transaction } from '../db/index.ts';
import { CLOSING } from './closed-lines.ts';
import { postDayBills } from './post-day-bills.ts';
import { type PostDeps, settlePosted } from './post-settlement.ts';
import { listPaid, type RewardPeriod } from './settlements.ts';

/** Users whose bills are posted in one transaction, unless a test says otherwise. */
const USERS_PER_STEP = 1024;
const FAILURE_MAX = 500;

export interface PayDeps extends PostDeps {
  /** How often rewards are paid now. What waits is paid at once when days are not awaited. */
  readonly period: RewardPeriod;
  /** Tests have small steps. */
  readonly usersPerStep?: number;
}

/**
 * Hours `b` that can be paid. Hours are computed in their order: with the last one of a day, all of
 * them are.
 */
const DUE_HOUR = `b.kind = 'hour' and b.state = 'computed'
    and b.payment_id is null
    and (:period = 'hour' or exists (
      select from reward_batch l where l.kind = 'hour' and l.state <> 'open'
        and l.hour = date_trunc('day', b.hour at time zone 'UTC') at time zone 'UTC'
          + interval '23 hours'
    ))`;

/** Whether hours wait whose day is over. */
export async function isDayDue(db: Db, period: RewardPeriod): Promise<boolean> {
  const sql = `select from reward_batch b where ${DUE_HOUR} limit 1`;
  return (await queryNamed(db, sql, { period })).rowCount > 0;
}

/**
 * An instance computes a correction: the day is paid with it. One that cannot be computed, and has
 * the reason, holds up no payment, nor does one that waits for the end of what an operator closed:
 * that may be an hour which ends with the payment.
 */
async function isCorrecting(db: Db): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from reward_batch where kind = 'correction' and state = 'open' and failure is null
       and not exists (${CLOSING}) limit 1`,
  );
  return rowCount > 0;
}

/** Ranges of as many users each; new users belong to the last one. */
const INSERT_STEPS = `insert into reward_payment_step (payment_id, first_user, next_user)
  select :payment, first_user, lead(first_user) over (order by first_user)
  from (
      select case when n = 1 then 0 else id end as first_user
      from (select id, row_number() over (order by id) as n from app_user) u
      where n % :users::int = 1 or :users::int = 1
    ) s`;

const CLAIM = `update reward_batch b set payment_id = :payment
  where ${DUE_HOUR}
    or b.kind = 'correction' and b.state = 'computed'
      and b.payment_id is null`;

async function findOpenPayment(db: Db): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number }>(
    'select id from reward_payment where paid_at is null',
  );
  return rows[0]?.id;
}

/**
 * Opens the payment of all days that are due. A settlement belongs to one payment for ever, so that
 * its lines are paid once, whatever the period of this instance is.
 * @returns undefined when none is due, or another instance opened one
 */
async function openPayment(deps: PayDeps): Promise<number | undefined> {
  const { database, clock, period, usersPerStep = USERS_PER_STEP } = deps;
  if ((await isCorrecting(database)) || !(await isDayDue(database, period))) return undefined;
  return transaction(database, async (tx) => {
    if (database.kind === 'server') await tx.query('set local statement_timeout = 0');
    const { rows } = await queryNamed<{ id: number }>(
      tx,
      `insert into reward_payment (created_at) values (:now)
        on conflict ((true)) where paid_at is null do nothing returning id`,
      { now: clock.now() },
    );
    const payment = rows[0]?.id;
    // Another instance may have paid what was due.
    if (payment === undefined || (await isCorrecting(tx)) || !(await isDayDue(tx, period))) {
      if (payment !== undefined)
        await tx.query('delete from reward_payment where id = $1', [payment]);
      return undefined;
    }
    await queryNamed(tx, CLAIM, { payment, period });
    await queryNamed(tx, INSERT_STEPS, { payment, users: usersPerStep });
    return payment;
  });
}

/** Ends a payment whose settlements are settled. @returns false while one is not */
async function endPayment({ database, clock }: PayDeps, payment: number): Promise<boolean> {
  const { rowCount } = await queryNamed(
    database,
    `update reward_payment set paid_at = coalesce(paid_at, :now)
      where id = :payment and not exists (
        select from reward_batch where payment_id = :payment and state <> 'settled'
      )`,
    { payment, now: clock.now() },
  );
  return rowCount > 0;
}

/** @returns false while another instance does a part of it */
async function pay(deps: PayDeps, paymentId: number): Promise<boolean> {
  const { database, rewardCurrency: currency } = deps;
  const settlements = await listPaid(database, paymentId);
  if (!(await postDayBills(database, { paymentId, settlements, currency }))) return false;
  for (const settlement of settlements) {
    if (settlement.state === 'computed') await settlePosted(deps, settlement);
  }
  return endPayment(deps, paymentId);
}

/** Stores the error of a payment with its settlements, for operators. */
async function recordFailure(db: Database, payment: number, error: unknown): Promise<void> {
  const text = error instanceof Error ? error.message : String(error);
  await queryNamed(
    db,
    `update reward_batch set failure = :failure
      where payment_id = :payment and state <> 'settled'`,
    { payment, failure: text.slice(0, FAILURE_MAX) },
  );
}

/**
 * Pays all days that are due.
 * @returns the errors: a day that cannot be paid must not stop the hours after it
 */
export async function payDays(deps: PayDeps): Promise<unknown[]> {
  for (;;) {
    const payment = (await findOpenPayment(deps.database)) ?? (await openPayment(deps));
    if (payment === undefined) return [];
    try {
      if (!(await pay(deps, payment))) return [];
    } catch (error) {
      // When the database is unavailable, this fails too.
      await recordFailure(deps.database, payment, error).catch(() => {});
      return [error];
    }
  }
}
