/** Operators hold, release and reject deposits that are not credited yet. */
import { type Db, defineStatement, execute, type Transaction, transaction } from '../db/index.ts';
import { findCurrency } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { type CodedMessage, createFreeText, toColumns } from '../lib/coded-messages.ts';
import { failure } from '../lib/failures.ts';
import { classifyDeposit, type Decision } from './classify-deposit.ts';
import { recordDepositEvents } from './deposit-events.ts';
import { DEPOSIT_REASONS } from './deposit-reasons.ts';
import { findToken } from './networks.ts';
import { type DepositRow, findDeposit } from './queries.ts';
import type { DepositStatus } from './schemas.ts';

interface DecisionRules {
  /** A credited deposit is reversed by an adjustment of the ledger, not here. */
  readonly allowedFor: readonly DepositStatus[];
  readonly statusAfter: DepositStatus;
  readonly defaultReason?: CodedMessage;
}

const RULES: Readonly<Record<Decision, DecisionRules>> = {
  hold: {
    allowedFor: ['confirming', 'on_hold', 'below_minimum', 'unsupported', 'orphaned'],
    statusAfter: 'on_hold',
    defaultReason: DEPOSIT_REASONS.create('operator_looks'),
  },
  release: {
    allowedFor: ['on_hold', 'below_minimum', 'rejected', 'confirming'],
    statusAfter: 'confirming',
  },
  reject: {
    allowedFor: ['confirming', 'on_hold', 'below_minimum', 'unsupported', 'orphaned', 'rejected'],
    statusAfter: 'rejected',
    defaultReason: DEPOSIT_REASONS.create('operator_rejected'),
  },
};

const LOCK_DEPOSIT = defineStatement(
  'deposit_lock',
  `select id, network, contract, currency, raw_amount, status from deposit
   where id = :id for update`,
);

interface LockedRow {
  id: number;
  network: string;
  contract: string | null;
  currency: string;
  raw_amount: string;
  status: DepositStatus;
}

/**
 * @throws `deposit_not_open` when a released deposit could not be credited: its token is not
 *   listed, or its amount is zero
 */
async function checkCreditable(tx: Transaction, row: LockedRow): Promise<void> {
  const payment = {
    network: row.network,
    contract: row.contract ?? undefined,
    rawAmount: BigInt(row.raw_amount),
    decision: 'release',
  } as const;
  const token = await findToken(tx, row.network, row.currency);
  const { reason } = classifyDeposit(payment, token, await findCurrency(tx, row.currency));
  if (reason)
    throw failure('deposit_not_open', {
      detail: `It cannot be credited: ${DEPOSIT_REASONS.format(reason)}`,
      extra: { deposit_status: row.status },
    });
}

/** No block holds an orphaned deposit: the decision applies once it is included again. */
const DECIDE = defineStatement(
  'deposit_decide',
  `update deposit set decision = :decision, decision_reason_code = :code,
     decision_reason_values = :values,
     status = case when status = 'orphaned' then status else :status end,
     reason_code = case when status = 'orphaned' then reason_code
       when :decision <> 'release' then :code end,
     reason_values = case when status = 'orphaned' then reason_values
       when :decision <> 'release' then :values::jsonb end
   where id = :id`,
);

/**
 * Records the decision of an operator; it outlives reorganisations. The watcher credits a released
 * deposit once it is deep enough.
 * @throws `not_found`, `deposit_not_open`
 */
export async function reviewDeposit(
  db: Db,
  clock: Clock,
  id: number,
  { decision, reason }: { readonly decision: Decision; readonly reason?: string | undefined },
): Promise<DepositRow> {
  const { allowedFor, statusAfter, defaultReason } = RULES[decision];
  return transaction(db, async (tx) => {
    const [row] = (await execute<LockedRow>(tx, LOCK_DEPOSIT, { id })).rows;
    if (!row) throw failure('not_found', { detail: 'There is no deposit with this id.' });
    if (!allowedFor.includes(row.status))
      throw failure('deposit_not_open', {
        detail: `A deposit that is ${row.status} cannot be changed by ${decision}.`,
        extra: { deposit_status: row.status },
      });
    if (decision === 'release') await checkCreditable(tx, row);
    const message = reason === undefined ? defaultReason : createFreeText(reason);
    await execute(tx, DECIDE, { id, decision, status: statusAfter, ...toColumns(message) });
    await recordDepositEvents(tx, clock, [row]);
    const changed = await findDeposit(tx, id);
    if (!changed) throw new Error('the deposit vanished');
    return changed;
  });
}
