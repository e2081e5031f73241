/**
 * The state of one batch: the locked accounts with their balances, and every row that the batch will write. A posting is
 * checked here before anything changes, so a refused one leaves no trace and needs no savepoint.
 */
import type { FailureCode } from '../lib/failures.ts';
import { AMOUNT_MAX, MAX_MINOR } from '../lib/money.ts';
import type { Currency, Posting, Refusal, RequestKey, TransactionType } from './types.ts';
import { idInShard, readWalletId } from './wallet-ids.ts';

export const CREDIT = 1;
export const DEBIT = 2;

export interface AccountState {
  readonly walletId: number;
  readonly currencyId: number;
  readonly userId: number | null;
  readonly isOverdraftProtected: boolean;
  isOverdrawn: boolean;
  /** Its owner closed it: nothing new is posted to it. */
  readonly isClosed: boolean;
  seq: number;
  debits: bigint;
  credits: bigint;
  onHold: bigint;
  deposited: bigint;
  withdrawn: bigint;
  /** It changed, and is written back. */
  isDirty: boolean;
}

/** Entries of all currencies of a wallet stand in one order. */
export interface WalletState {
  /** Position of its last entry. */
  position: number;
}

export interface Shard {
  readonly shard: number;
  readonly seals: number;
  readonly transfers: number;
  readonly steps: number;
  readonly mac: Buffer;
}

export interface EntryRow {
  readonly walletId: number;
  readonly position: number;
  readonly seq: number;
  readonly balanceAfter: bigint;
}

export interface TransferRow {
  readonly id: number;
  readonly debit: EntryRow;
  readonly credit: EntryRow;
  readonly currency: Currency;
  readonly business: Pick<TransactionType, 'id' | 'code'>;
  readonly amount: bigint;
  readonly eventAt: Date;
  readonly mayOverdraw: boolean;
  /** 32 hexadecimal digits. */
  readonly requestHash: string;
  readonly idempotencyKey: string;
  readonly rewardType: string | null;
  readonly nodeId: string | null;
  readonly reference: string | null;
  readonly remark: string | null;
  readonly reverses: number | null;
  readonly holdId: number | null;
}

export type HoldState = 'open' | 'settled' | 'cancelled' | 'expired';
export type StepKind = 'place' | 'settle' | 'cancel' | 'expire';

/** What a hold is for; sealed with the step that places it. */
export interface HoldTerms {
  readonly walletId: number;
  readonly currency: Currency;
  readonly business: TransactionType;
  readonly expiresAt: Date | null;
  readonly reference: string | null;
  readonly remark: string | null;
}

export interface StepRow extends RequestKey {
  readonly id: number;
  readonly holdId: number;
  readonly kind: StepKind;
  readonly amount: bigint;
  readonly transferId: number | null;
  /** Only of `place`. */
  readonly terms: HoldTerms | null;
  /** What is still held after the step. */
  readonly remaining: bigint;
}

/** The state of a hold after a step. */
export function holdStateAfter({
  kind,
  remaining,
}: Pick<StepRow, 'kind' | 'remaining'>): HoldState {
  if (kind === 'cancel') return 'cancelled';
  if (kind === 'expire') return 'expired';
  return remaining === 0n ? 'settled' : 'open';
}

export interface EarningRow {
  readonly userId: number;
  readonly day: string;
  /** Of the wallet; the total is kept for each kind, the day for all of them. */
  readonly kindId: number;
  readonly currencyId: number;
  readonly rewardType: string;
  readonly nodeId: string;
  amount: bigint;
}

export interface RefusalRow extends RequestKey, Omit<Refusal, 'status'> {}

export interface BatchState {
  readonly shard: Shard;
  /** Version of the reference data that the postings are resolved with. */
  readonly referenceVersion: string;
  readonly accounts: Map<string, AccountState>;
  readonly wallets: Map<number, WalletState>;
  /** Never before the last entry of any wallet in the batch, so that positions are in order of time. */
  readonly createdAt: Date;
  readonly transfers: TransferRow[];
  /** Event of each transfer, or undefined; as many as there are transfers. */
  readonly events: Posting['event'][];
  readonly steps: StepRow[];
  readonly earnings: Map<string, EarningRow>;
  readonly refusals: RefusalRow[];
}

/** A batch without accounts. */
export function createBatchState(
  origin: Pick<BatchState, 'shard' | 'referenceVersion' | 'createdAt'>,
): BatchState {
  const rows = { transfers: [], events: [], steps: [], earnings: new Map(), refusals: [] };
  return { ...origin, accounts: new Map(), wallets: new Map(), ...rows };
}

export function accountKey(walletId: number, currencyId: number): string {
  return `${walletId}/${currencyId}`;
}

/** What can be spent: neither held nor owed. */
export function getAvailable(account: AccountState): bigint {
  return account.credits - account.debits - account.onHold;
}

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

/** A closed account takes corrections, reversals and settled holds, and debits that may overdraw. Nothing else. */
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
  // Neither a day nor a number holds a line end, and the type stands before the free text of the node.
  const key = `${account.userId}\n${day}\n${kindId}\n${currency.id}\n${rewardType.length}\n${rewardType}${nodeId}`;
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

/** Adds a step in the life of a hold; returns its id. The id of a hold is that of its first step. */
export function addStep(
  batch: BatchState,
  step: Omit<StepRow, 'id' | 'holdId'> & { holdId?: number },
): number {
  const id = idInShard(batch.shard.steps + batch.steps.length, batch.shard.shard);
  batch.steps.push({ ...step, id, holdId: step.holdId ?? id });
  return id;
}
