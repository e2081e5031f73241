/** Hook of closing an account: closes its wallets. */
import type { Transaction } from './db/index.ts';
import type { User } from './identity/index.ts';
import { closeAccountsOf } from './ledger/index.ts';
import { failure } from './lib/failures.ts';

/**
 * Refuses while the account holds or owes money, unless the owner abandons it.
 * @throws `account_not_empty`
 */
export async function closeMoney(
  tx: Transaction,
  { userId }: User,
  abandonsBalance: boolean,
): Promise<void> {
  const left = await closeAccountsOf(tx, userId);
  if (left.length === 0 || abandonsBalance) return;
  const listNames = (list: typeof left, name: 'currency' | 'wallet'): string[] => [
    ...new Set(list.map((account) => account[name])),
  ];
  const owed = left.filter(({ isOwed }) => isOwed);
  throw failure('account_not_empty', {
    ...(owed.length === left.length && { detail: 'The account is in debt.' }),
    extra: {
      currencies: listNames(left, 'currency'),
      wallets: listNames(left, 'wallet'),
      ...(owed.length > 0 && { owed_currencies: listNames(owed, 'currency') }),
    },
  });
}
