/** What the ledger speaks of. */
import type { FailureCode } from '../lib/failures.ts';

/** Code of a kind of wallet that people have: `asset`, `bonus`, or one that was added. */
export type UserWallet = string;

/** Code of an account of the house, by purpose; each exists once per lane of posting, so that posters never wait for each other. */
export type HouseAccount = string;

/** An account by its owner; the currency comes with the posting. Opened when first used. */
export type AccountRef = { readonly userId: number; readonly wallet: UserWallet } | { readonly house: HouseAccount };

/** Money that moves from `debit` to `credit`. */
export interface Posting {
  /** Unique name of this movement: posting it again replays the first answer. */
  readonly idem: string;
  readonly debit: AccountRef;
  readonly credit: AccountRef;
  /** Currency code. */
  readonly currency: string;
  /** Minor units, positive. */
  readonly amount: bigint;
  readonly businessId: string;
  /** When it was earned or happened; the ledger notes the time of posting itself. */
  readonly eventAt: Date;
  /** Nobody asked for this time, it was the moment: the same order at another moment is the same order. */
  readonly isTimeDefault?: true;
  readonly rewardType?: string;
  readonly nodeId?: string;
  readonly reference?: string;
  readonly remark?: string;
  /** The debit must pass even if the account becomes negative (deposit reversal, penalty, correction). */
  readonly mayOverdraw?: boolean;
  /** It sets right what was booked before, and passes although an account was closed since. */
  readonly isCorrection?: boolean;
}

export type PostResult = { readonly status: 'posted' | 'replayed'; readonly transferId: number } | { readonly status: 'refused'; readonly code: FailureCode };

export interface Currency {
  readonly id: number;
  readonly code: string;
  readonly scale: number;
}

export interface Business {
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
