/** What the ledger speaks of. */
import type { PostingEventType } from '../events/index.ts';
import type { FailureCode, FailureDetails } from '../lib/failures.ts';

/** Code of a kind of wallet that people have: `asset`, `bonus`, or one that was added. */
export type UserWallet = string;

/**
 * Code of an account of the house, by purpose; each exists once per shard of posting, so that
 * posters never wait for each other.
 */
export type HouseAccount = string;

/** An account by its owner; the currency comes with the posting. Opened when first used. */
export type AccountRef =
  | { readonly userId: number; readonly wallet: UserWallet }
  | { readonly house: HouseAccount };

/** What an idempotency key stands for: the ledger keeps both with what was posted or refused. */
export interface RequestKey {
  /**
   * Idempotency key, unique in the ledger: it names the caller, the kind of request and the
   * caller's key.
   */
  readonly idempotencyKey: string;
  /**
   * Hash of the whole request, 32 hexadecimal digits. The same key with another hash is a conflict.
   */
  readonly requestHash: string;
}

/** Money that moves from `debit` to `credit`. */
export interface Posting {
  /** Idempotency key, unique in the ledger: posting it again replays the first result. */
  readonly idempotencyKey: string;
  /**
   * Hash of the request that asks for it, 32 hexadecimal digits. Default: of the posting's own
   * fields.
   */
  readonly requestHash?: string;
  /**
   * Shared by all postings of one request: when one of their keys stands for another request, none
   * is posted.
   */
  readonly requestKey?: string;
  readonly debit: AccountRef;
  readonly credit: AccountRef;
  /** Currency code. */
  readonly currency: string;
  /** Minor units, 1 to `AMOUNT_MAX`. */
  readonly amount: bigint;
  readonly businessId: string;
  /** When it was earned or happened; the ledger records the time of posting itself. */
  readonly eventAt: Date;
  /**
   * The time is the time of the request, which did not name one: it is not part of the default
   * request hash.
   */
  readonly isTimeDefault?: true;
  readonly rewardType?: string;
  readonly nodeId?: string;
  readonly reference?: string;
  readonly remark?: string;
  /**
   * The debit passes even if the account becomes negative (deposit reversal, penalty, correction).
   */
  readonly mayOverdraw?: boolean;
  /** It corrects an earlier posting, and passes although an account was closed since. */
  readonly isCorrection?: boolean;
  /** The transfer that it reverses; set by `reverseTransfers` only. */
  readonly reverses?: number;
  /**
   * Event that tells the owners of its wallets, read from the transfer when it is delivered.
   * Default: none.
   */
  readonly event?: PostingEventType;
}

/** Why a posting, or a use case around it, was refused. */
export interface Refusal {
  readonly status: 'refused';
  readonly code: FailureCode;
  /** What the answer said besides the code; kept with the key. */
  readonly details?: Pick<FailureDetails, 'detail' | 'fields'>;
}

/**
 * A part of a request that its caller refuses, whatever the balances: it is recorded under its key.
 */
export interface RefusedPosting extends RequestKey, Omit<Refusal, 'status'> {
  /** As of a posting. */
  readonly requestKey?: string;
}

export type PostResult =
  | { readonly status: 'posted' | 'replayed'; readonly transferId: number }
  | Refusal;

export interface Currency {
  readonly id: number;
  readonly code: string;
  readonly scale: number;
}

export interface TransactionType {
  readonly id: number;
  readonly code: string;
  readonly isEarning: boolean;
  readonly counter: 'deposited' | 'withdrawn' | null;
  readonly creditSign: 1 | -1;
  readonly reversedAs: string | null;
}

export interface WalletKind {
  readonly id: number;
  readonly code: string;
  readonly isHouse: boolean;
}

/** Where an account stands. */
export interface Balance {
  readonly currency: string;
  readonly scale: number;
  /** What is available: credits - debits - held. */
  readonly balance: bigint;
  readonly hold: bigint;
  readonly deposited: bigint;
  readonly withdrawal: bigint;
}
