/**
 * What users bring from another system: opening balances and the entries of their history, between
 * their wallets and one account of the house, `opening_balance`.
 */
import { type Database, type Db, type Transaction, transaction } from '../db/index.ts';
import { FIRST_CURRENCY, openMissing } from './lock-accounts.ts';
import { postTransfers } from './post-transfers.ts';
import { ensureBusiness, ensureWalletKind, referenceOf } from './reference-data.ts';
import type { AccountRef, Posting, PostResult } from './types.ts';
import { toUserWalletId } from './wallet-ids.ts';

/** The account of the house, and the transaction type of opening balances. */
export const OPENING_BALANCE = 'opening_balance';

/** An amount that a wallet brings along. */
export interface BroughtEntry {
  readonly idempotencyKey: string;
  readonly userId: number;
  readonly wallet: string;
  readonly currency: string;
  /** Minor units, not 0; below zero: the wallet is debited, and may become negative. */
  readonly amount: bigint;
  readonly eventAt: Date;
  /** Default: `opening_balance`. */
  readonly businessId?: string | undefined;
  readonly rewardType?: string | undefined;
  readonly nodeId?: string | undefined;
  readonly reference?: string | undefined;
  readonly remark?: string | undefined;
}

/** Adds the account and the transaction type, unless they are there. */
export async function ensureOpeningBalance(db: Db): Promise<void> {
  await ensureBusiness(db, OPENING_BALANCE, { isEarning: false });
  const kind = await ensureWalletKind(db, OPENING_BALANCE, { isHouse: true });
  if (!kind?.isHouse) throw new Error(`${OPENING_BALANCE} is not an account of the house`);
}

function toPosting({ userId, wallet, amount, businessId, ...entry }: BroughtEntry): Posting {
  const user: AccountRef = { userId, wallet };
  const house: AccountRef = { house: OPENING_BALANCE };
  const [debit, credit] = amount < 0n ? [user, house] : [house, user];
  const { rewardType, nodeId, reference, remark } = entry;
  return {
    idempotencyKey: entry.idempotencyKey,
    debit,
    credit,
    currency: entry.currency,
    amount: amount < 0n ? -amount : amount,
    businessId: businessId ?? OPENING_BALANCE,
    eventAt: entry.eventAt,
    mayOverdraw: true,
    isCorrection: true,
    ...(rewardType !== undefined && { rewardType }),
    ...(nodeId !== undefined && { nodeId }),
    ...(reference !== undefined && { reference }),
    ...(remark !== undefined && { remark }),
  };
}

/**
 * Opens the accounts of entries, where they are missing; accounts with zero in them do no harm. The
 * postings follow in another transaction: PostgreSQL checks the references of a row again when the
 * transaction that made it changes it. The first accounts of the wallets have a transaction of
 * their own: it waits for no lock, so that none can wait for it in a circle.
 */
export async function openBroughtAccounts(
  database: Database,
  entries: readonly Pick<BroughtEntry, 'userId' | 'wallet' | 'currency'>[],
): Promise<void> {
  const { kinds, currencies } = await referenceOf(database, {
    currencies: entries.map(({ currency }) => currency),
    kinds: entries.map(({ wallet }) => wallet),
  });
  const accounts = entries.flatMap(({ userId, wallet, currency }) => {
    const [kindId, currencyId] = [kinds.get(wallet)?.id, currencies.get(currency)?.id];
    return kindId === undefined || currencyId === undefined
      ? []
      : [{ walletId: toUserWalletId(userId, kindId), currencyId }];
  });
  const firsts = accounts.map(({ walletId }) => ({ walletId, currencyId: FIRST_CURRENCY }));
  const others = accounts.filter(({ currencyId }) => currencyId !== FIRST_CURRENCY);
  for (const missing of [firsts, others])
    await transaction(database, async (tx) => {
      await tx.query('set local synchronous_commit = off');
      await openMissing(tx, missing);
    });
}

/** Posts what users bring, in the order of the entries; at most `BATCH_MAX`. */
export function postBroughtEntries(
  tx: Transaction,
  entries: readonly BroughtEntry[],
): Promise<PostResult[]> {
  return postTransfers(tx, entries.map(toPosting));
}
