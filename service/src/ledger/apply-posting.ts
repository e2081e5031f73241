/**
 * Applies a posting to the state of a batch. It is checked before anything changes, so a refused
 * one needs no savepoint.
 */
import type { FailureCode } from '../lib/failures.ts';
import { AMOUNT_MAX, MAX_MINOR } from '../lib/money.ts';
import {
  type AccountState,
  type BatchState,
  CREDIT,
  DEBIT,
  type EntryRow,
  getAvailable,
} from './batch-state.ts';
import type { Currency, Posting, TransactionType } from './types.ts';
import { idInShard, readWalletId } from './wallet-ids.ts';

/** A posting whose accounts are locked and whose codes are resolved. */
export interface ResolvedPosting {
  readonly posting: Omit<Posting, 'debit' | 'credit' | 'currency' | 'businessId'>;
  readonly requestHash: string;
  readonly debit: AccountState;
  readonly credit: AccountState;
  readonly currency: Currency;
  readonly business: TransactionType;
  /** The hold that it settles: its money is not available, and taken from what is held. */
  readonly holdId?: number;
}

/** How much the account's own counter of the business moves. */
function counterChange(business: TransactionType, direction: number, amount: bigint): bigint {
  const sign = (direction === CREDIT ? 1 : -1) * business.creditSign;
  return sign > 0 ? amount : -amount;
}

function counterOf(account: AccountState, business: TransactionType): bigint {
  return business.counter === 'deposited' ? account.deposited : account.withdrawn;
}

function checkCounter(
  account: AccountState,
  business: TransactionType,
  direction: number,
  amount: bigint,
): FailureCode | undefined {
  if (business.counter === null || !account.isOverdraftProtected) return undefined;
  const next = counterOf(account, business) + counterChange(business, direction, amount);
  if (next < 0n) return 'counter_negative';
  return next > MAX_MINOR ? 'balance_too_large' : undefined;
}

/**
 * A closed account takes corrections, reversals and settled holds, and debits that may overdraw.
 * Nothing else.
 */
function checkClosed({ debit, credit, posting, holdId }: ResolvedPosting): FailureCode | undefined {
  if (posting.reverses !== undefined || posting.isCorrection || holdId !== undefined)
    return undefined;
  return credit.isClosed || (debit.isClosed && !posting.mayOverdraw) ? 'account_closed' : undefined;
}

/** Why a posting is refused; undefined when it can be applied. Changes nothing. */
export function validatePosting(resolved: ResolvedPosting): FailureCode | undefined {
  const { debit, credit, business, posting, holdId } = resolved;
  const { amount } = posting;
  if (debit === credit) return 'same_account';
  if (amount <= 0n || amount > AMOUNT_MAX) return 'invalid_amount';
  const closed = checkClosed(resolved);
  if (closed) return closed;
  const mustBeCovered = debit.isOverdraftProtected && !posting.mayOverdraw && holdId === undefined;
  if (mustBeCovered && getAvailable(debit) < amount) return 'insufficient_funds';
  if (debit.debits + amount > MAX_MINOR || credit.credits + amount > MAX_MINOR)
    return 'balance_too_large';
  return (
    checkCounter(debit, business, DEBIT, amount) ?? checkCounter(credit, business, CREDIT, amount)
  );
}

function moveCounter(
  account: AccountState,
  business: TransactionType,
  direction: number,
  amount: bigint,
): void {
  if (business.counter === null || !account.isOverdraftProtected) return;
  const change = counterChange(business, direction, amount);
  if (business.counter === 'deposited') account.deposited += change;
  else account.withdrawn += change;
}

function appendEntry(batch: BatchState, account: AccountState): EntryRow {
  const wallet = batch.wallets.get(account.walletId);
  if (!wallet) throw new Error(`the wallet ${account.walletId} is not in the batch`);
  account.seq += 1;
  account.isDirty = true;
  wallet.position += 1;
  return {
    walletId: account.walletId,
    position: wallet.position,
    seq: account.seq,
    balanceAfter: account.credits - account.debits,
  };
}

function addEarning(
  batch: BatchState,
  account: AccountState,
  { posting, currency }: ResolvedPosting,
  amount: bigint,
): void {
  if (account.userId === null) return;
  const day = posting.eventAt.toISOString().slice(0, 10);
  const { rewardType = '', nodeId = '' } = posting;
  const { kindId } = readWalletId(account.walletId);
  const key = JSON.stringify([account.userId, day, kindId, currency.id, rewardType, nodeId]);
  const known = batch.earnings.get(key);
  if (known) known.amount += amount;
  else
    batch.earnings.set(key, {
      userId: account.userId,
      day,
      kindId,
      currencyId: currency.id,
      rewardType,
      nodeId,
      amount,
    });
}

/** Marks an account that a posting overdrew, and clears the mark once it is covered again. */
export function updateOverdrawn(account: AccountState, mayOverdraw: boolean): void {
  if (!account.isOverdraftProtected) return;
  const isNegative = getAvailable(account) < 0n;
  if (isNegative && mayOverdraw) account.isOverdrawn = true;
  else if (!isNegative) account.isOverdrawn = false;
}

/** Applies a posting that `validatePosting` accepted; returns the transfer's id. */
export function applyPosting(batch: BatchState, resolved: ResolvedPosting): number {
  const { posting, debit, credit, currency, business, requestHash, holdId } = resolved;
  const { amount } = posting;
  debit.debits += amount;
  credit.credits += amount;
  if (holdId !== undefined) debit.onHold -= amount;
  moveCounter(debit, business, DEBIT, amount);
  moveCounter(credit, business, CREDIT, amount);
  updateOverdrawn(debit, posting.mayOverdraw === true);
  updateOverdrawn(credit, false);
  if (business.isEarning) {
    addEarning(batch, debit, resolved, -amount);
    addEarning(batch, credit, resolved, amount);
  }
  const id = idInShard(batch.shard.transfers + batch.transfers.length, batch.shard.shard);
  batch.transfers.push({
    id,
    debit: appendEntry(batch, debit),
    credit: appendEntry(batch, credit),
    currency,
    business,
    amount,
    requestHash,
    idempotencyKey: posting.idempotencyKey,
    eventAt: posting.eventAt,
    mayOverdraw: posting.mayOverdraw === true,
    rewardType: posting.rewardType ?? null,
    nodeId: posting.nodeId ?? null,
    reference: posting.reference ?? null,
    remark: posting.remark ?? null,
    reverses: posting.reverses ?? null,
    holdId: holdId ?? null,
  });
  batch.events.push(posting.event);
  return id;
}
