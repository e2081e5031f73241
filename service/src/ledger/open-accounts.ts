/** Opens a person's accounts, so that every currency is there with zero from the first day. */
import type { Transaction } from '../db/index.ts';
import { openMissing } from './lock-accounts.ts';
import { loadReference } from './reference-data.ts';
import { toUserWalletId } from './wallet-ids.ts';

/**
 * For the hook that runs when a person registers. Postings open what is missing by themselves, so
 * this is no precondition.
 */
export async function openAccounts(tx: Transaction, userId: number): Promise<void> {
  const { kinds, currencies } = await loadReference(tx);
  const wallets = [...kinds.values()]
    .filter((kind) => !kind.isHouse)
    .map((kind) => toUserWalletId(userId, kind.id));
  await openMissing(
    tx,
    wallets.flatMap((walletId) =>
      [...currencies.values()].map((currency) => ({ walletId, currencyId: currency.id })),
    ),
  );
}
