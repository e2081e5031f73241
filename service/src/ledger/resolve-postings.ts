/** Resolves what a batch asks for: codes to reference data, owners to wallets. */
import { hash } from 'node:crypto';
import type { FailureCode } from '../lib/failures.ts';
import type { ResolvedPosting } from './apply-posting.ts';
import { accountKey, type BatchState } from './batch-state.ts';
import type { AccountKey } from './lock-accounts.ts';
import { type ReferenceData, resolveWalletKind } from './reference-data.ts';
import type { AccountRef, Posting } from './types.ts';
import { toWalletId } from './wallet-ids.ts';

/** 16 bytes of a SHA-256 are kept. */
const HASH_DIGITS = 32;

/**
 * Hash of what a request asks for, so that the same key with another request is noticed. 32
 * hexadecimal digits.
 */
export function hashRequestFields(fields: readonly unknown[]): string {
  const toText = (_key: string, value: unknown): unknown =>
    typeof value === 'bigint' ? String(value) : value;
  return hash('sha256', JSON.stringify(fields, toText), 'hex').slice(0, HASH_DIGITS);
}

function refText(ref: AccountRef): string {
  return 'house' in ref ? ref.house : `${ref.userId}/${ref.wallet}`;
}

/** The request hash of a posting: the one of its request, or of its own fields. */
export function hashPosting(posting: Posting): string {
  const {
    requestHash,
    debit,
    credit,
    currency,
    amount,
    businessId,
    rewardType,
    nodeId,
    reference,
    remark,
  } = posting;
  if (requestHash !== undefined) return requestHash;
  const eventAt_ms = posting.isTimeDefault ? null : posting.eventAt.getTime();
  const accounts = [refText(debit), refText(credit)];
  const texts = [rewardType, nodeId, reference, remark];
  return hashRequestFields([
    ...accounts,
    currency,
    amount,
    businessId,
    eventAt_ms,
    ...texts,
    posting.mayOverdraw === true,
    posting.reverses,
  ]);
}

/** The two accounts of a posting. */
interface AccountPair {
  readonly debit: AccountKey;
  readonly credit: AccountKey;
}

/** The accounts of a posting, or why it has none. */
export function resolveAccounts(
  reference: ReferenceData,
  posting: Posting,
  shard: number,
): AccountPair | FailureCode {
  const currency = reference.currencies.get(posting.currency);
  if (!currency) return 'unknown_currency';
  if (!reference.businesses.has(posting.businessId)) return 'unknown_business';
  const [debitKind, creditKind] = [
    resolveWalletKind(reference, posting.debit),
    resolveWalletKind(reference, posting.credit),
  ];
  if (!debitKind || !creditKind) return 'unknown_wallet';
  return {
    debit: { walletId: toWalletId(posting.debit, debitKind, shard), currencyId: currency.id },
    credit: { walletId: toWalletId(posting.credit, creditKind, shard), currencyId: currency.id },
  };
}

/** A posting on the locked accounts of a batch, or why it is refused. */
export function resolvePosting(
  reference: ReferenceData,
  batch: BatchState,
  posting: Posting,
  requestHash: string,
): ResolvedPosting | FailureCode {
  const accounts = resolveAccounts(reference, posting, batch.shard.shard);
  if (typeof accounts === 'string') return accounts;
  const debit = batch.accounts.get(accountKey(accounts.debit.walletId, accounts.debit.currencyId));
  const credit = batch.accounts.get(
    accountKey(accounts.credit.walletId, accounts.credit.currencyId),
  );
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

export function findAffectedWallets(
  reference: ReferenceData,
  postings: readonly Posting[],
): AffectedWallets {
  const userWallets = new Set<number>();
  const houseKinds = new Set<number>();
  for (const { debit, credit } of postings) {
    for (const ref of [debit, credit]) {
      const kind = resolveWalletKind(reference, ref);
      if (!kind) continue;
      if (kind.isHouse) houseKinds.add(kind.id);
      else userWallets.add(toWalletId(ref, kind, 0));
    }
  }
  return { userWallets, houseKinds };
}

/** The accounts that the postings need in a shard. */
export function findRequiredAccounts(
  reference: ReferenceData,
  postings: readonly Posting[],
  shard: number,
): Map<string, AccountKey> {
  const required = new Map<string, AccountKey>();
  for (const posting of postings) {
    const accounts = resolveAccounts(reference, posting, shard);
    if (typeof accounts === 'string') continue;
    for (const account of [accounts.debit, accounts.credit]) {
      required.set(accountKey(account.walletId, account.currencyId), account);
    }
  }
  return required;
}
