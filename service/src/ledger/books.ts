/**
 * The books of one batch: the locked accounts as they stand, and everything that the batch will write. All checks
 * are made here, in order and before anything changes, so a refused item leaves no trace and needs no savepoint.
 */
import type { FailureCode } from '../lib/failures.ts';
import { MAX_MINOR } from '../lib/money.ts';
import type { Business, Currency } from './types.ts';
import { idInLane, readWalletId } from './wallet-ids.ts';

export const CREDIT = 1;
export const DEBIT = 2;

export interface AccountState {
  readonly walletId: number;
  readonly currencyId: number;
  readonly userId: number | null;
  readonly guarded: boolean;
  overdrawn: boolean;
  /** Its owner closed it: nothing new is posted to it. */
  readonly closed: boolean;
  seq: number;
  debits: bigint;
  credits: bigint;
  held: bigint;
  deposited: bigint;
  withdrawn: bigint;
  /** Of the row; writing it fails when the row has another. */
  version: number;
  /** Something changed: it is written back. */
  isTouched: boolean;
}

/** Entries of all currencies of a wallet stand in one order. */
export interface WalletState {
  /** Of its last entry. */
  position: number;
  /** When that was posted. */
  postedAt_ms: number;
  /** All that it has. */
  readonly accounts: AccountState[];
}

export interface Lane {
  readonly lane: number;
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
  readonly business: Business;
  readonly amount: bigint;
  readonly eventAt: Date;
  readonly mayOverdraw: boolean;
  /** Hex. */
  readonly requestHash: string;
  readonly idem: string;
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
  readonly business: Business;
  readonly expiresAt: Date | null;
  readonly reference: string | null;
  readonly remark: string | null;
}

export interface StepRow {
  readonly id: number;
  readonly holdId: number;
  readonly kind: StepKind;
  readonly amount: bigint;
  readonly transferId: number | null;
  readonly idem: string;
  /** Hex. */
  readonly requestHash: string;
  /** Only of `place`. */
  readonly terms: HoldTerms | null;
  /** Where the hold stands afterwards. */
  readonly after: { readonly remaining: bigint; readonly state: HoldState };
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

export interface RefusalRow {
  readonly idem: string;
  /** Hex. */
  readonly requestHash: string;
  readonly code: FailureCode;
}

export interface Books {
  readonly lane: Lane;
  /** Every account of its wallets is locked, also those that it does not move; else all are as this process remembers them. */
  readonly isLocked: boolean;
  /** Of the names that the batch is resolved with. */
  readonly referenceMark: string;
  readonly accounts: Map<string, AccountState>;
  readonly wallets: Map<number, WalletState>;
  /** Never before the last entry of any wallet in the batch, so that positions are in order of time. */
  readonly createdAt: Date;
  readonly transfers: TransferRow[];
  readonly steps: StepRow[];
  readonly earnings: Map<string, EarningRow>;
  readonly refusals: RefusalRow[];
}

/** Books without accounts. */
export function newBooks({ lane, referenceMark, isLocked }: Pick<Books, 'lane' | 'referenceMark' | 'isLocked'>, createdAt: Date): Books {
  const rows = { transfers: [], steps: [], earnings: new Map(), refusals: [] };
  return { lane, referenceMark, isLocked, createdAt, accounts: new Map(), wallets: new Map(), ...rows };
}

export function accountKey(walletId: number, currencyId: number): string {
  return `${walletId}/${currencyId}`;
}

/** What can be spent: neither held nor owed. */
export function availableOf(account: AccountState): bigint {
  return account.credits - account.debits - account.held;
}

/** A movement whose accounts are locked and whose names are resolved. */
export interface Movement {
  readonly debit: AccountState;
  readonly credit: AccountState;
  readonly currency: Currency;
  readonly business: Business;
  readonly amount: bigint;
  readonly eventAt: Date;
  readonly mayOverdraw: boolean;
  /** Hex. */
  readonly requestHash: string;
  readonly idem: string;
  readonly rewardType?: string | undefined;
  readonly nodeId?: string | undefined;
  readonly reference?: string | undefined;
  readonly remark?: string | undefined;
  readonly reverses?: number | undefined;
  readonly isCorrection?: boolean | undefined;
  readonly hold?: { readonly id: number } | undefined;
}

/** How much the account's own counter of the business moves. */
function counterChange(business: Business, direction: number, amount: bigint): bigint {
  const sign = (direction === CREDIT ? 1 : -1) * business.creditSign;
  return sign > 0 ? amount : -amount;
}

function counterOf(account: AccountState, business: Business): bigint {
  return business.counter === 'deposited' ? account.deposited : account.withdrawn;
}

function checkCounter(account: AccountState, business: Business, direction: number, amount: bigint): FailureCode | undefined {
  if (business.counter === null || !account.guarded) return undefined;
  const next = counterOf(account, business) + counterChange(business, direction, amount);
  if (next < 0n) return 'counter_negative';
  return next > MAX_MINOR ? 'balance_too_large' : undefined;
}

/** On a closed account what was booked is still set right, and what was held is settled; else nothing comes in, and nothing goes out that may not overdraw. */
function checkClosed({ debit, credit, mayOverdraw, reverses, isCorrection, hold }: Movement): FailureCode | undefined {
  if (reverses !== undefined || isCorrection || hold !== undefined) return undefined;
  return credit.closed || (debit.closed && !mayOverdraw) ? 'account_closed' : undefined;
}

/** Why the movement cannot be made; undefined when it can. Changes nothing. */
export function checkMovement(movement: Movement): FailureCode | undefined {
  const { debit, credit, business, amount, hold } = movement;
  if (debit === credit) return 'same_account';
  if (amount <= 0n || amount > MAX_MINOR) return 'invalid_amount';
  const closed = checkClosed(movement);
  if (closed) return closed;
  // A settled part of a hold is not available: it is taken from what is held, which covers it.
  if (debit.guarded && !movement.mayOverdraw && hold === undefined && availableOf(debit) < amount) return 'insufficient_funds';
  if (debit.debits + amount > MAX_MINOR || credit.credits + amount > MAX_MINOR) return 'balance_too_large';
  return checkCounter(debit, business, DEBIT, amount) ?? checkCounter(credit, business, CREDIT, amount);
}

function moveCounter(account: AccountState, business: Business, direction: number, amount: bigint): void {
  if (business.counter === null || !account.guarded) return;
  const change = counterChange(business, direction, amount);
  if (business.counter === 'deposited') account.deposited += change;
  else account.withdrawn += change;
}

function addEntry(books: Books, account: AccountState): EntryRow {
  const wallet = books.wallets.get(account.walletId);
  if (!wallet) throw new Error(`the wallet ${account.walletId} is not in the batch`);
  account.seq += 1;
  account.isTouched = true;
  wallet.position += 1;
  return { walletId: account.walletId, position: wallet.position, seq: account.seq, balanceAfter: account.credits - account.debits };
}

function addEarning(books: Books, account: AccountState, movement: Movement, amount: bigint): void {
  if (account.userId === null) return;
  const day = movement.eventAt.toISOString().slice(0, 10);
  const { rewardType = '', nodeId = '', currency } = movement;
  const { kindId } = readWalletId(account.walletId);
  // Neither a day nor a number holds a line end, and the type stands before the free text of the node.
  const key = `${account.userId}\n${day}\n${kindId}\n${currency.id}\n${rewardType.length}\n${rewardType}${nodeId}`;
  const known = books.earnings.get(key);
  if (known) known.amount += amount;
  else books.earnings.set(key, { userId: account.userId, day, kindId, currencyId: currency.id, rewardType, nodeId, amount });
}

/** A debt that was paid back is forgiven; one made by a posting that may overdraw is noted. */
export function noteOverdraft(account: AccountState, mayOverdraw: boolean): void {
  if (!account.guarded) return;
  const isNegative = availableOf(account) < 0n;
  if (isNegative && mayOverdraw) account.overdrawn = true;
  else if (!isNegative) account.overdrawn = false;
}

/** Makes a movement that `checkMovement` let pass; gives the transfer's id. */
export function move(books: Books, movement: Movement): number {
  const { debit, credit, business, amount } = movement;
  debit.debits += amount;
  credit.credits += amount;
  if (movement.hold) debit.held -= amount;
  moveCounter(debit, business, DEBIT, amount);
  moveCounter(credit, business, CREDIT, amount);
  noteOverdraft(debit, movement.mayOverdraw);
  noteOverdraft(credit, false);
  if (business.isEarning) {
    addEarning(books, debit, movement, -amount);
    addEarning(books, credit, movement, amount);
  }
  const id = idInLane(books.lane.transfers + books.transfers.length, books.lane.lane);
  books.transfers.push({
    id,
    debit: addEntry(books, debit),
    credit: addEntry(books, credit),
    currency: movement.currency,
    business,
    amount,
    eventAt: movement.eventAt,
    mayOverdraw: movement.mayOverdraw,
    requestHash: movement.requestHash,
    idem: movement.idem,
    rewardType: movement.rewardType ?? null,
    nodeId: movement.nodeId ?? null,
    reference: movement.reference ?? null,
    remark: movement.remark ?? null,
    reverses: movement.reverses ?? null,
    holdId: movement.hold?.id ?? null,
  });
  return id;
}

/** Notes a step in the life of a hold; gives its id. A hold's id is that of its first step. */
export function addStep(books: Books, step: Omit<StepRow, 'id' | 'holdId'> & { holdId?: number }): number {
  const id = idInLane(books.lane.steps + books.steps.length, books.lane.lane);
  books.steps.push({ ...step, id, holdId: step.holdId ?? id });
  return id;
}
