/** Reading balances and earnings. */
import { type Db, defineStatement, execute, queryNamed } from '../db/index.ts';
import { transferById } from './packed-entries.ts';
import { referenceOf } from './reference-data.ts';
import type { Balance, UserWallet, WalletKind } from './types.ts';
import { getUserWalletRange, toUserWalletId } from './wallet-ids.ts';

interface BalanceRow {
  readonly currency: string;
  readonly scale: number;
  readonly balance: string;
  readonly held: string;
  readonly deposited: string;
  readonly withdrawn: string;
}

const BALANCES = defineStatement(
  'ledger_balances',
  `select c.code as currency, c.scale, coalesce(a.credits - a.debits - a.held,
  0) as balance, coalesce(a.held, 0) as held,
    coalesce(a.deposited, 0) as deposited, coalesce(a.withdrawn, 0) as withdrawn
  from currency c left join account a on a.wallet_id = :wallet_id and a.currency_id = c.id
  order by c.id`,
);

async function kindNamed(db: Db, wallet: UserWallet): Promise<WalletKind> {
  const kind = (await referenceOf(db, { kinds: [wallet] })).kinds.get(wallet);
  if (!kind) throw new Error(`there is no wallet ${wallet}`);
  return kind;
}

/**
 * Every currency of a person's wallet, those with nothing in them included. One indexed statement.
 */
export async function readBalances(db: Db, userId: number, wallet: UserWallet): Promise<Balance[]> {
  const kind = await kindNamed(db, wallet);
  const { rows } = await execute<BalanceRow>(db, BALANCES, {
    wallet_id: toUserWalletId(userId, kind.id),
  });
  return rows.map((row) => ({
    currency: row.currency,
    scale: row.scale,
    balance: BigInt(row.balance),
    hold: BigInt(row.held),
    deposited: BigInt(row.deposited),
    withdrawal: BigInt(row.withdrawn),
  }));
}

export interface EarningTotal {
  readonly currency: string;
  readonly scale: number;
  readonly rewardType: string;
  readonly amount: bigint;
}
type EarningTotalRow = Omit<EarningTotal, 'amount'> & { readonly amount: string };

/**
 * Reads a row for each wallet, currency and type that was ever earned, however long the history.
 */
const earningTotals = (
  where: string,
): string => `select c.code as currency, c.scale, t.reward_type as "rewardType",
  sum(t.amount) as amount
  from earning_total t join currency c on c.id = t.currency_id where t.user_id = :user_id${where}
  group by c.id, t.reward_type order by c.id, t.reward_type`;
const EARNING_TOTALS = defineStatement('ledger_earning_totals', earningTotals(''));
const WALLET_EARNINGS = defineStatement(
  'ledger_wallet_earnings',
  earningTotals(' and t.kind_id = :kind_id'),
);

/** A person's earnings of all time over all their wallets, by currency and reward type. */
export async function readEarningTotals(db: Db, userId: number): Promise<EarningTotal[]> {
  const { rows } = await execute<EarningTotalRow>(db, EARNING_TOTALS, { user_id: userId });
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}

/** The same of one of their wallets. */
export async function readWalletEarnings(
  db: Db,
  userId: number,
  wallet: UserWallet,
): Promise<EarningTotal[]> {
  const kind = await kindNamed(db, wallet);
  const { rows } = await execute<EarningTotalRow>(db, WALLET_EARNINGS, {
    user_id: userId,
    kind_id: kind.id,
  });
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}

const EVENT_TIMES = defineStatement(
  'ledger_event_times',
  `select t.id, t.event_at from unnest(:transfer_ids::bigint[]) as asked (id)
    cross join lateral ${transferById('asked.id')} t`,
);

/** When what some transfers moved had happened. */
export async function readEventTimes(
  db: Db,
  transferIds: readonly number[],
): Promise<Map<number, Date>> {
  const { rows } = await execute<{ id: number; event_at: Date }>(db, EVENT_TIMES, {
    transfer_ids: transferIds,
  });
  return new Map(rows.map((row) => [row.id, row.event_at]));
}

/**
 * True while any account of a person is negative: conversion and withdrawal are frozen until it is
 * paid back.
 */
export async function isOverdrawn(db: Db, userId: number): Promise<boolean> {
  const [first, last] = getUserWalletRange(userId);
  const { rowCount } = await queryNamed(
    db,
    'select 1 from account where wallet_id between :first and :last and overdrawn limit 1',
    { first, last },
  );
  return rowCount > 0;
}
