/** Reverses deposits that were credited, and whose blocks are not part of the chain any more. */
import { defineStatement, execute, type Transaction } from '../db/index.ts';
import { recordEvents } from '../events/index.ts';
import { listUndone, type Posting, type PostResult, postTransfers } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { CodedMessage } from '../lib/coded-messages.ts';
import { toCreditKey } from './credit-deposits.ts';
import { recordDepositEvents } from './deposit-events.ts';
import { DEPOSIT_REASONS } from './deposit-reasons.ts';

const DEPOSITS_MAX = 1000;

interface CreditedRow {
  id: number;
  user_id: number;
  currency: string;
  amount: string;
  epoch: number;
  network: string;
  tx_hash: string;
}

const LIST_CREDITED = defineStatement(
  'deposits_credited_above',
  `select id, user_id, currency, amount, epoch, network, tx_hash from deposit
   where network = :network and block_number > :height and status = 'credited'
   order by id limit ${DEPOSITS_MAX} for update`,
);

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

/**
 * Counted as an adjustment where an operator lowered the sum of a user's deposits by hand: that
 * must not keep a dropped deposit from being reversed.
 */
function toAdjustment(posting: Posting): Posting {
  const idempotencyKey = `${posting.idempotencyKey}/adjustment`;
  return { ...posting, idempotencyKey, businessId: 'adjustment' };
}

/** Posts the reversals, each with its own result. */
async function postReversals(
  tx: Transaction,
  rows: readonly CreditedRow[],
  at: Date,
): Promise<PostResult[]> {
  const postings = rows.map((row) => toReversal(row, at));
  const results = await postTransfers(tx, postings);
  const isUncounted = results.map(
    (result) => result.status === 'refused' && result.code === 'counter_negative',
  );
  const uncounted = postings.filter((_, i) => isUncounted[i]).map(toAdjustment);
  const adjusted = (await postTransfers(tx, uncounted)).values();
  return results.map((result, i) => (isUncounted[i] && adjusted.next().value) || result);
}

interface Outcome {
  readonly row: CreditedRow;
  readonly status: 'reversed' | 'orphaned';
  readonly reason: CodedMessage;
  /** Kept from being credited again, until an operator decides. */
  readonly decision?: 'hold' | 'reject';
}

const WRITE_OUTCOMES = defineStatement(
  'deposit_reverse',
  `update deposit set status = item.outcome, reason_code = item.code, reason_values = item.values,
     reversed_at = case when item.outcome = 'reversed' then :now else reversed_at end,
     decision = coalesce(item.decided, decision),
     decision_reason_code =
       case when item.decided is null then decision_reason_code else item.code end,
     decision_reason_values =
       case when item.decided is null then decision_reason_values else item.values end
   from jsonb_to_recordset(:items) as item (id bigint, outcome text, code text, values jsonb,
     decided text)
   where deposit.id = item.id`,
);

/** What becomes of a credited deposit, by the result of its reversal; none if it was undone. */
function toOutcome(row: CreditedRow, result: PostResult | undefined): Outcome {
  // By an operator: no later block credits it again without a decision.
  if (result === undefined) {
    const reason = DEPOSIT_REASONS.create('operator_reversed');
    return { row, status: 'reversed', reason, decision: 'reject' };
  }
  // The user still has the money. The other deposits of the network must not wait for it.
  if (result.status === 'refused') {
    const reason = DEPOSIT_REASONS.create('not_taken_back', { code: result.code });
    return { row, status: 'orphaned', reason, decision: 'hold' };
  }
  return { row, status: 'reversed', reason: DEPOSIT_REASONS.create('block_replaced') };
}

async function recordOutcomes(
  tx: Transaction,
  clock: Clock,
  outcomes: readonly Outcome[],
): Promise<void> {
  const items = outcomes.map(({ row: { id }, status, reason, decision }) => ({
    id,
    outcome: status,
    ...reason,
    decided: decision,
  }));
  await execute(tx, WRITE_OUTCOMES, { items: JSON.stringify(items), now: clock.now() });
  await recordDepositEvents(tx, clock, items);
  const refused = outcomes.filter(({ decision }) => decision === 'hold');
  await recordEvents(
    tx,
    clock,
    refused.map(({ row: { id, user_id, network, currency }, reason: { values } }) => ({
      type: 'chain.deposit_not_taken_back',
      data: { network, deposit_id: id, user_id, currency, ...values },
    })),
  );
}

/**
 * Reverses credited deposits above a block. A balance may become negative by it, which freezes the
 * account's withdrawals.
 */
export async function reverseCredited(
  tx: Transaction,
  clock: Clock,
  network: string,
  height: number,
): Promise<void> {
  for (;;) {
    const { rows } = await execute<CreditedRow>(tx, LIST_CREDITED, { network, height });
    if (rows.length === 0) return;
    const toKey = ({ id, epoch }: CreditedRow): string => toCreditKey(id, epoch);
    const undone = await listUndone(tx, rows.map(toKey));
    const open = rows.filter((row) => !undone.has(toKey(row)));
    const results = new Map(
      (await postReversals(tx, open, clock.now())).map((result, i) => [open[i], result]),
    );
    const outcomes = rows.map((row) => toOutcome(row, results.get(row)));
    await recordOutcomes(tx, clock, outcomes);
  }
}
