/** Operators hold, release and reject deposits that are not credited yet. */
import { type Db, type Transaction, transaction } from '../db/index.ts';
import { findCurrency } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure } from '../lib/failures.ts';
import { classifyDeposit, type Decision } from './classify-deposit.ts';
import { recordDepositEvents } from './deposit-events.ts';
import { DEPOSIT_REASONS } from './deposit-reasons.ts';
import { findToken } from './networks.ts';
import { type DepositRow, findDeposit } from './queries.ts';
import type { DepositStatus } from './schemas.ts';

/** What each word may be said about. A credited deposit is taken back by an adjustment in the ledger, not here. */
const OPEN_FOR: Readonly<Record<Decision, readonly DepositStatus[]>> = {
  hold: ['confirming', 'on_hold', 'below_minimum', 'unsupported', 'orphaned'],
  release: ['on_hold', 'below_minimum', 'rejected', 'confirming'],
  reject: ['confirming', 'on_hold', 'below_minimum', 'unsupported', 'orphaned', 'rejected'],
};

interface LockedRow {
  id: number;
  network: string;
  contract: string | null;
  currency: string;
  raw_amount: string;
  status: DepositStatus;
}

async function lockOpen(tx: Transaction, id: number, decision: Decision): Promise<LockedRow> {
  const { rows } = await tx.query<LockedRow>(
    'select id, network, contract, currency, raw_amount, status from deposit where id = $1 for update',
    [id],
  );
  const row = rows[0];
  if (!row) throw failure('not_found', { detail: 'There is no deposit with this id.' });
  if (!OPEN_FOR[decision].includes(row.status)) {
    throw failure('deposit_not_open', {
      detail: `A deposit that is ${row.status} cannot be changed by ${decision}.`,
      extra: { deposit_status: row.status },
    });
  }
  return row;
}

/** @throws `deposit_not_open` when it could not be credited even so: a token that is not listed, an amount of nothing */
async function checkCreditable(tx: Transaction, row: LockedRow): Promise<void> {
  const payment = {
    network: row.network,
    contract: row.contract ?? undefined,
    rawAmount: BigInt(row.raw_amount),
    decision: 'release',
  } as const;
  const verdict = classifyDeposit(
    payment,
    await findToken(tx, row.network, row.currency),
    await findCurrency(tx, row.currency),
  );
  if (verdict.status === 'confirming') return;
  throw failure('deposit_not_open', {
    detail: `It cannot be credited: ${verdict.reason}`,
    extra: { deposit_status: row.status },
  });
}

const DEFAULT_REASON: Readonly<Record<Decision, string | null>> = {
  hold: DEPOSIT_REASONS.say('operator_looks'),
  release: null,
  reject: DEPOSIT_REASONS.say('operator_rejected'),
};

const STATUS_AFTER: Readonly<Record<Decision, DepositStatus>> = {
  hold: 'on_hold',
  release: 'confirming',
  reject: 'rejected',
};

/**
 * Records an operator's word; it outlives reorganisations. A released deposit is credited by the watcher, once it is
 * deep enough.
 * @throws `not_found`, `deposit_not_open`
 */
export async function decideDeposit(
  db: Db,
  clock: Clock,
  id: number,
  decision: Decision,
  reason: string | undefined,
): Promise<DepositRow> {
  return transaction(db, async (tx) => {
    const row = await lockOpen(tx, id, decision);
    if (decision === 'release') await checkCreditable(tx, row);
    const said = [id, decision, reason ?? DEFAULT_REASON[decision]];
    // No block holds an orphaned one: the word waits until it is included again.
    if (row.status === 'orphaned')
      await tx.query('update deposit set decision = $2, decision_reason = $3 where id = $1', said);
    else {
      const shown = decision === 'release' ? null : (reason ?? DEFAULT_REASON[decision]);
      await tx.query(
        'update deposit set decision = $2, decision_reason = $3, status = $4, reason = $5 where id = $1',
        [...said, STATUS_AFTER[decision], shown],
      );
    }
    await recordDepositEvents(tx, clock, [id]);
    const changed = await findDeposit(tx, id);
    if (!changed) throw new Error('the deposit vanished');
    return changed;
  });
}
