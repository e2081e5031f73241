/** Resolves what a batch asks for: codes to reference data, owners to wallets. */
import { hash } from 'node:crypto';
import type { FailureCode } from '../lib/failures.ts';
import { accountKey, type BatchState, type ResolvedPosting } from './batch-state.ts';
import type { AccountKey } from './lock-accounts.ts';
import { kindOf, type Reference } from './reference.ts';
import type { AccountRef, Posting } from './types.ts';
import { walletOf } from './wallet-ids.ts';

/** 16 bytes of a SHA-256 are kept. */
const HASH_DIGITS = 32;

/** Hash of what a request asks for, so that the same key with another request is noticed. 32 hexadecimal digits. */
export function hashRequestFields(fields: readonly unknown[]): string {
  const toText = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
  return hash('sha256', JSON.stringify(fields, toText), 'hex').slice(0, HASH_DIGITS);
}

function refText(ref: AccountRef): string {
  return 'house' in ref ? ref.house : `${ref.userId}/${ref.wallet}`;
}

/** The request hash of a posting: the one of its request, or of its own fields. */
export function hashPosting(posting: Posting): string {
  const { requestHash, debit, credit, currency, amount, businessId, rewardType, nodeId, reference, remark } = posting;
  if (requestHash !== undefined) return requestHash;
  const eventAt_ms = posting.isTimeDefault ? null : posting.eventAt.getTime();
  const accounts = [refText(debit), refText(credit)];
  const texts = [rewardType, nodeId, reference, remark];
  return hashRequestFields([...accounts, currency, amount, businessId, eventAt_ms, ...texts, posting.mayOverdraw === true, posting.reverses]);
}

/** The two accounts of a posting. */
interface AccountPair {
  readonly debit: AccountKey;
  readonly credit: AccountKey;
}

/** The accounts of a posting, or why it has none. */
export function resolveAccounts(reference: Reference, posting: Posting, lane: number): AccountPair | FailureCode {
  const currency = reference.currencies.get(posting.currency);
  if (!currency) return 'unknown_currency';
  if (!reference.businesses.has(posting.businessId)) return 'unknown_business';
  const [debitKind, creditKind] = [kindOf(reference, posting.debit), kindOf(reference, posting.credit)];
  if (!debitKind || !creditKind) return 'unknown_wallet';
  return {
    debit: { walletId: walletOf(posting.debit, debitKind, lane), currencyId: currency.id },
    credit: { walletId: walletOf(posting.credit, creditKind, lane), currencyId: currency.id },
  };
}

/** A posting on the locked accounts of a batch, or why it is refused. */
export function resolvePosting(reference: Reference, batch: BatchState, posting: Posting, requestHash: string): ResolvedPosting | FailureCode {
  const accounts = resolveAccounts(reference, posting, batch.lane.lane);
  if (typeof accounts === 'string') return accounts;
  const debit = batch.accounts.get(accountKey(accounts.debit.walletId, accounts.debit.currencyId));
  const credit = batch.accounts.get(accountKey(accounts.credit.walletId, accounts.credit.currencyId));
  const currency = reference.currencies.get(posting.currency);
  const business = reference.businesses.get(posting.businessId);
  if (!debit || !credit) return 'unknown_user';
  if (!currency || !business) return 'unknown_currency';
  return { posting, requestHash, debit, credit, currency, business };
}

/** Wallets that a batch changes: of people by id, of the house by kind. */
export interface AffectedWallets {
  readonly userWallets: ReadonlySet<number>;
  readonly houseKinds: ReadonlySet<number>;
}

export function findAffectedWallets(reference: Reference, postings: readonly Posting[]): AffectedWallets {
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

/** The accounts that the postings need in a lane. */
export function findRequiredAccounts(reference: Reference, postings: readonly Posting[], lane: number): Map<string, AccountKey> {
  const required = new Map<string, AccountKey>();
  for (const posting of postings) {
    const accounts = resolveAccounts(reference, posting, lane);
    if (typeof accounts === 'string') continue;
    for (const account of [accounts.debit, accounts.credit]) {
      required.set(accountKey(account.walletId, account.currencyId), account);
    }
  }
  return required;
}
