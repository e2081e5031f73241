/** What a batch asks for: its postings with their names resolved, and the wallets they move. */
import { hash } from 'node:crypto';
import type { FailureCode } from '../lib/failures.ts';
import { accountKey } from './books.ts';
import type { Wanted } from './open-books.ts';
import { kindOf, type Reference } from './reference.ts';
import type { AccountRef, Posting } from './types.ts';
import { walletOf } from './wallet-ids.ts';

/** What only the ledger itself may add to a posting. */
export interface InnerPosting extends Posting {
  /** The transfer that it undoes. */
  readonly reverses?: number;
}

/** 16 bytes are kept. */
const HASH_DIGITS = 32;

function refOf(ref: AccountRef): string {
  return 'house' in ref ? ref.house : `${ref.userId}/${ref.wallet}`;
}

/** What a posting asks for, so that the same key with something else is noticed. Hex. */
export function hashPosting(p: InnerPosting): string {
  const said = [
    refOf(p.debit),
    refOf(p.credit),
    p.currency,
    String(p.amount),
    p.businessId,
    p.isTimeDefault ? null : p.eventAt.getTime(),
    p.rewardType,
    p.nodeId,
  ];
  return hash('sha256', JSON.stringify([...said, p.reference, p.remark, p.mayOverdraw === true, p.reverses]), 'hex').slice(0, HASH_DIGITS);
}

/** A posting with its names resolved, or why it has none. */
export interface Item {
  readonly posting: InnerPosting;
  readonly requestHash: string;
  readonly debit: Wanted;
  readonly credit: Wanted;
}

export function resolve(reference: Reference, posting: InnerPosting, requestHash: string, lane: number): Item | FailureCode {
  const currency = reference.currencies.get(posting.currency);
  if (!currency) return 'unknown_currency';
  if (!reference.businesses.has(posting.businessId)) return 'unknown_business';
  const [debitKind, creditKind] = [kindOf(reference, posting.debit), kindOf(reference, posting.credit)];
  if (!debitKind || !creditKind) return 'unknown_wallet';
  return {
    posting,
    requestHash,
    debit: { walletId: walletOf(posting.debit, debitKind, lane), currencyId: currency.id },
    credit: { walletId: walletOf(posting.credit, creditKind, lane), currencyId: currency.id },
  };
}

/** Whose wallets a batch moves: people's by their ids, the house's by their kinds. */
export interface Touched {
  readonly userWallets: ReadonlySet<number>;
  readonly houseKinds: ReadonlySet<number>;
}

export function findTouched(reference: Reference, postings: readonly InnerPosting[]): Touched {
  const userWallets = new Set<number>();
  const houseKinds = new Set<number>();
  for (const { debit, credit } of postings) {
    for (const ref of [debit, credit]) {
      const kind = kindOf(reference, ref);
      if (!kind) continue;
      if (kind.isHouse) houseKinds.add(kind.id);
      else userWallets.add(walletOf(ref, kind, 0));
    }
  }
  return { userWallets, houseKinds };
}

export function wantedAccounts(items: readonly (Item | FailureCode)[]): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  for (const item of items) {
    if (typeof item === 'string') continue;
    for (const account of [item.debit, item.credit]) wanted.set(accountKey(account.walletId, account.currencyId), account);
  }
  return wanted;
}
