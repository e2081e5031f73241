/** Hands approved payouts to the signer. A payout is taken by one signer, once. */
import { type Db, queryNamed, type Transaction, transaction } from '../db/index.ts';
import type { SignedText } from '../ledger/index.ts';
import type { PayoutsDeps } from './context.ts';
import { approves, type Decision, listDecisions, lockDecisions } from './decisions.ts';
import { changeStatus, findPayouts, type PayoutRow } from './queries.ts';
import { listFrozen, returnUnfit } from './return-unfit.ts';
import { signPayoutHead } from './sign-payout-head.ts';

export interface TakeOrder {
  readonly network: string;
  /** Client and name of the signer's state. */
  readonly signer: string;
  readonly limit: number;
  /** Of the last entry of the log of decisions that the signer has seen. */
  readonly decisionPosition?: number;
}

/** What the signer gets: it verifies the approvals by itself. */
export interface TakenPayout {
  readonly payout: PayoutRow;
  readonly approvals: readonly Decision[];
}

/** What one call hands over. */
export interface Taken {
  readonly payouts: readonly TakenPayout[];
  /** Absent when there is nothing. */
  readonly head?: SignedText;
}

/** Time until a payout of a frozen person is looked at again. */
export const RETRY_MS = 600_000;

async function describe(db: Db, ids: readonly number[]): Promise<TakenPayout[]> {
  const payouts = await findPayouts(db, ids);
  const decisions = await listDecisions(db, ids);
  return payouts.map((payout) => ({
    payout,
    approvals: decisions.filter((decision) => approves(decision, payout)),
  }));
}

async function take(tx: Transaction, deps: PayoutsDeps, order: TakeOrder): Promise<Taken> {
  const { network, signer, limit } = order;
  const { clock } = deps;
  // Before the rows: what may not be handed over is written into the log.
  await lockDecisions(tx);
  const { rows } = await queryNamed<{ id: number; user_id: number; status: string }>(
    tx,
    `select id, user_id, status from payout
     where network = :network
       and ((status = 'signed' and signer = :signer) or (status = 'approved' and check_at <= :now))
       and not exists (select from payout_stop where payout_stop.currency = payout.currency)
     order by id limit :limit for update skip locked`,
    { network, signer, now: clock.now(), limit },
  );
  const fresh = rows.filter(({ status }) => status === 'approved');
  // Those whose owner's money is frozen wait.
  const frozen = await listFrozen(tx, deps, fresh);
  const idsOf = (list: typeof rows): number[] => list.map(({ id }) => id);
  const waiting = idsOf(fresh.filter(({ user_id }) => frozen.has(user_id)));
  const retryAt = new Date(clock.now().getTime() + RETRY_MS);
  if (waiting.length > 0)
    await queryNamed(
      tx,
      'update payout set check_at = :retry_at where id = any(:waiting::bigint[])',
      { waiting, retry_at: retryAt },
    );
  const due = idsOf(fresh.filter(({ user_id }) => !frozen.has(user_id)));
  const taken = await returnUnfit(tx, deps, due);
  await queryNamed(tx, 'update payout set signer = :signer where id = any(:taken::bigint[])', {
    ...{ taken, signer },
  });
  await changeStatus(tx, clock, taken, { status: 'signed', reason: 'taken_by_signer' });
  const before = rows.filter(({ status }) => status === 'signed').map(({ id }) => id);
  const payouts = await describe(tx, [...before, ...taken]);
  if (payouts.length === 0) return { payouts };
  const list = payouts.map(({ payout }) => payout);
  return { payouts, head: await signPayoutHead(tx, clock, order, list) };
}

/**
 * Takes approved payouts of a network, and lists those that the same signer took before and has
 * not sent. From then on its user cannot cancel it. Nothing of a stopped currency is handed over;
 * what its owner or approvers may no longer answer for goes back to the operators.
 */
export function takePayouts(deps: PayoutsDeps, order: TakeOrder): Promise<Taken> {
  return transaction(deps.database, (tx) => take(tx, deps, order));
}
