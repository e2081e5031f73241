/** Takes deposits back that were credited, and whose blocks are not part of the chain any more. */
import type { Transaction } from '../db/index.ts';
import { recordEvents } from '../events/index.ts';
import { listUndone, type Posting, type PostResult, postTransfers } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { FailureCode } from '../lib/failures.ts';
import { creditName } from './credit-deposits.ts';
import { recordDepositEvents } from './deposit-events.ts';
import { DEPOSIT_REASONS } from './deposit-reasons.ts';

const AT_ONCE = 1000;

interface CreditedRow {
  id: number;
  user_id: number;
  currency: string;
  amount: string;
  epoch: number;
  network: string;
  tx_hash: string;
}

interface RefusedRow extends CreditedRow {
  readonly code: FailureCode;
}

function toReversal(row: CreditedRow, at: Date): Posting {
  return {
    idempotencyKey: `deposit_reversal/${row.id}/${row.epoch}`,
    debit: { userId: row.user_id, wallet: 'asset' },
    credit: { house: 'deposit_clearing' },
    currency: row.currency,
    amount: BigInt(row.amount),
    businessId: 'deposit_reversal',
    eventAt: at,
    reference: row.tx_hash,
    remark: row.network,
    mayOverdraw: true,
  };
}

const CREDITED = `select id, user_id, currency, amount, epoch, network, tx_hash from deposit
  where network = $1 and block_number > $2 and status = 'credited' order by id limit ${AT_ONCE} for update`;

/** Counts as an adjustment: whoever lowered the sum of somebody's deposits by hand must not keep the chain from taking back what it dropped. */
function toAdjustment(posting: Posting): Posting {
  return {
    ...posting,
    idempotencyKey: `${posting.idempotencyKey}/adjustment`,
    businessId: 'adjustment',
  };
}

/** Undoes the credits, each with its own fate. */
async function post(
  tx: Transaction,
  rows: readonly CreditedRow[],
  at: Date,
): Promise<PostResult[]> {
  const postings = rows.map((row) => toReversal(row, at));
  const results = await postTransfers(tx, postings);
  const isUncounted = results.map(
    (result) => result.status === 'refused' && result.code === 'counter_negative',
  );
  const adjusted = await postTransfers(
    tx,
    postings.filter((_, i) => isUncounted[i]).map(toAdjustment),
  );
  return results.map((result, i) => (isUncounted[i] ? (adjusted.shift() ?? result) : result));
}

const TAKEN =
  "update deposit set status = 'reversed', reason = $2, reversed_at = $3 where id = any($1::bigint[])";
/** Some way back operators could undo a credit while its record stayed as it was: by their word no later block credits it again unasked. */
const UNDONE = `update deposit set status = 'reversed', reason = $2, decision = 'reject', decision_reason = $2, reversed_at = $3
  where id = any($1::bigint[])`;
/** The money is still the person's, so that no later block may credit it again unasked. */
const REFUSED = `update deposit set status = 'orphaned', reason = why, decision = 'hold', decision_reason = why
  from unnest($1::bigint[], $2::text[]) as item (refused_id, why) where deposit.id = refused_id`;

async function mark(
  tx: Transaction,
  clock: Clock,
  statement: string,
  reason: string,
  rows: readonly CreditedRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map((row) => row.id);
  await tx.query(statement, [ids, reason, clock.now()]);
  await recordDepositEvents(tx, clock, ids);
}

/** One that the ledger does not let go must not keep the network from everybody else's: it is left to an operator. */
async function markRefused(
  tx: Transaction,
  clock: Clock,
  rows: readonly RefusedRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map((row) => row.id);
  await tx.query(REFUSED, [
    ids,
    rows.map(({ code }) => DEPOSIT_REASONS.say('not_taken_back', { code })),
  ]);
  await recordDepositEvents(tx, clock, ids);
  await recordEvents(
    tx,
    clock,
    rows.map(({ id, user_id, network, currency, code }) => ({
      type: 'chain.deposit_not_taken_back',
      data: { network, deposit_id: id, user_id, currency, code },
    })),
  );
}

function refusedOf(rows: readonly CreditedRow[], results: readonly PostResult[]): RefusedRow[] {
  return rows.flatMap((row, i) => {
    const result = results[i];
    return result?.status === 'refused' ? [{ ...row, code: result.code }] : [];
  });
}

async function takeBack(
  tx: Transaction,
  clock: Clock,
  rows: readonly CreditedRow[],
): Promise<void> {
  const names = await listUndone(
    tx,
    rows.map((row) => creditName(row.id, row.epoch)),
  );
  const isUndone = (row: CreditedRow): boolean => names.has(creditName(row.id, row.epoch));
  const open = rows.filter((row) => !isUndone(row));
  const results = await post(tx, open, clock.now());
  const taken = open.filter((_, i) => results[i]?.status !== 'refused');
  await mark(tx, clock, UNDONE, DEPOSIT_REASONS.say('operator_reversed'), rows.filter(isUndone));
  await mark(tx, clock, TAKEN, DEPOSIT_REASONS.say('block_replaced'), taken);
  await markRefused(tx, clock, refusedOf(open, results));
}

/** Takes credited deposits above a block back; a balance may go below zero by it, which freezes the account's withdrawals. */
export async function takeBackCredited(
  tx: Transaction,
  clock: Clock,
  network: string,
  height: number,
): Promise<void> {
  for (;;) {
    const { rows } = await tx.query<CreditedRow>(CREDITED, [network, height]);
    if (rows.length === 0) return;
    await takeBack(tx, clock, rows);
  }
}
