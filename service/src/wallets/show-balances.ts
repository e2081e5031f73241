import type { Db } from '../db/index.ts';
import { type Balance, readBalances, readWalletEarnings } from '../ledger/index.ts';
import { exactAmount } from '../lib/exact-json.ts';

function toAccount({ currency, scale, balance, hold, deposited, withdrawal }: Balance) {
  return {
    currency,
    balance: exactAmount(balance, scale),
    hold: exactAmount(hold, scale),
    deposited: exactAmount(deposited, scale),
    withdrawal: exactAmount(withdrawal, scale),
  };
}

/** The asset wallet, one Account per currency. One statement. */
export async function showAccounts(db: Db, userId: number, currency?: string) {
  const balances = await readBalances(db, userId, 'asset');
  return balances
    .filter((balance) => currency === undefined || balance.currency === currency)
    .map(toAccount);
}

/** The reward wallet, with what its rewards came from. */
export async function showRewardAssets(db: Db, userId: number, currency?: string) {
  const [balances, earnings] = await Promise.all([
    readBalances(db, userId, 'bonus'),
    readWalletEarnings(db, userId, 'bonus'),
  ]);
  return balances
    .filter((balance) => currency === undefined || balance.currency === currency)
    .map((balance) => ({
      ...toAccount(balance),
      by_reward_type: earnings
        .filter((earning) => earning.currency === balance.currency)
        .map((earning) => ({
          reward_type: earning.rewardType,
          amount: exactAmount(earning.amount, earning.scale),
        })),
    }));
}
