/**
 * Closes a person's accounts: from then on nothing is posted to them but what sets right or settles
 * what was there.
 */
import { queryNamed, type Transaction } from '../db/index.ts';
import { lockWallets } from './lock-accounts.ts';
import { loadReference } from './reference-data.ts';
import { getUserWalletRange, toUserWalletId } from './wallet-ids.ts';

/** Money that an account holds, or owes. */
export interface MoneyLeft {
  readonly wallet: string;
  readonly currency: string;
  /** More was taken back than was there. */
  readonly isOwed: boolean;
}

/**
 * Waits for what is being posted to a person's accounts and keeps further postings waiting. First
 * of all in the transaction that closes them: a posting locks accounts before the row of the
 * person.
 */
export async function lockAccountsOf(tx: Transaction, userId: number): Promise<void> {
  const { kinds } = await loadReference(tx);
  await lockWallets(
    tx,
    [...kinds.values()]
      .filter((kind) => !kind.isHouse)
      .map((kind) => toUserWalletId(userId, kind.id)),
  );
}

const CLOSE_ACCOUNTS = `with closed as (
    update account set closed = true where wallet_id between :first and :last returning kind_id,
      currency_id, credits, debits, held
  )
  select k.code as wallet, c.code as currency, a.credits - a.debits < a.held as "isOwed"
    from closed a join wallet_kind k on k.id = a.kind_id join currency c on c.id = a.currency_id
  where a.credits <> a.debits or a.held <> 0 order by k.id, c.id`;

/**
 * Marks the accounts as closed. Last of all in the transaction, once the person's row says so too:
 * an account that is opened from then on is closed from the start, and one that was opened before
 * is marked here.
 * @returns what is left in them
 */
export async function closeAccountsOf(tx: Transaction, userId: number): Promise<MoneyLeft[]> {
  const [first, last] = getUserWalletRange(userId);
  return (await queryNamed<MoneyLeft>(tx, CLOSE_ACCOUNTS, { first, last })).rows;
}
