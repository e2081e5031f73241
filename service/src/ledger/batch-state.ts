/**
 * The state of one batch: the locked accounts with their balances, and every row that the batch
 * will write.
 */
import type { FailureCode } from '../lib/failures.ts';
import type { Currency, Posting, Refusal, RequestKey, TransactionType } from './types.ts';
import { idInShard } from './wallet-ids.ts';

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
  readonly refusals: number;
  /** Whether all other shards are locked too: no other transaction posts meanwhile. */
  readonly areAllLocked: boolean;
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

export interface RefusalRow extends RequestKey {
  readonly id: number;
  readonly code: FailureCode;
  /** `details` of the refusal as JSON. */
  readonly details: string | null;
}

export interface BatchState {
  readonly shard: Shard;
  /** Version of the reference data that the postings are resolved with. */
  readonly referenceVersion: string;
  readonly accounts: Map<string, AccountState>;
  readonly wallets: Map<number, WalletState>;
  /**
   * Never before the last entry of any wallet in the batch, so that positions are in order of time.
   */
  readonly createdAt: Date;
  readonly transfers: TransferRow[];
  /** Event of each transfer, or undefined; as many as there are transfers. */
  readonly events: Posting['event'][];
  readonly steps: StepRow[];
  readonly earnings: Map<string, EarningRow>;
  readonly refusals: RefusalRow[];
}

/** A batch without accounts. */
export function createBatchState({
  shard,
  referenceVersion,
  createdAt,
}: Pick<BatchState, 'shard' | 'referenceVersion' | 'createdAt'>): BatchState {
  const rows = { transfers: [], events: [], steps: [], earnings: new Map(), refusals: [] };
  const origin = { shard, referenceVersion, createdAt };
  return { ...origin, accounts: new Map(), wallets: new Map(), ...rows };
}

export function accountKey(walletId: number, currencyId: number): string {
  return `${walletId}/${currencyId}`;
}

/** What can be spent: neither held nor owed. */
export function getAvailable(account: AccountState): bigint {
  return account.credits - account.debits - account.onHold;
}

/**
 * Adds a step in the life of a hold; returns its id. The id of a hold is that of its first step.
 */
export function addStep(
  batch: BatchState,
  step: Omit<StepRow, 'id' | 'holdId'> & { holdId?: number },
): number {
  const id = idInShard(batch.shard.steps + batch.steps.length, batch.shard.shard);
  batch.steps.push({ ...step, id, holdId: step.holdId ?? id });
  return id;
}

/** Adds a refusal, which is kept with its key. */
export function addRefusal(
  batch: BatchState,
  { idempotencyKey, requestHash }: RequestKey,
  { code, details }: Omit<Refusal, 'status'>,
): void {
  const id = idInShard(batch.shard.refusals + batch.refusals.length, batch.shard.shard);
  const text = details ? JSON.stringify(details) : null;
  batch.refusals.push({ id, idempotencyKey, requestHash, code, details: text });
}
