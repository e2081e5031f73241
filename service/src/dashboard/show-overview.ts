/** The account at a glance. */
import type { Db } from '../db/index.ts';
import { toDay } from '../lib/calendar.ts';
import type { Clock } from '../lib/clock.ts';
import { type ExactDecimal, exactAmount, exactGigabytes } from '../lib/exact-json.ts';
import { type OverviewRow, readOverview } from './queries.ts';
import type { DashboardOverviewVO } from './schemas.ts';

function amountOf(row: OverviewRow, minor: string | null): ExactDecimal {
  return exactAmount(minor ?? '0', row.scale);
}

/** What the rewards have computed and not paid. */
export interface AccruedReward {
  readonly rewardType: string;
  /** Minor units of the reward currency, signed. */
  readonly amount: string;
}

export interface OverviewDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly rewardCurrency: string;
  /** By reward type. */
  readAccrued(db: Db, userId: number): Promise<readonly AccruedReward[]>;
}

export async function showOverview(
  { db, clock, rewardCurrency, readAccrued }: OverviewDeps,
  userId: number,
): Promise<DashboardOverviewVO> {
  const waiting = await readAccrued(db, userId);
  const accrued = waiting.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  const rows = await readOverview(db, userId, toDay(clock.now()), rewardCurrency);
  const reward = rows.find((row) => row.currency === rewardCurrency);
  const earned = rows.filter((row) => row.currency === rewardCurrency || row.total !== null);
  return {
    network_rewards: reward ? amountOf(reward, reward.total) : exactAmount(0n, 0),
    devices: rows[0]?.devices ?? 0,
    traffic_gb: exactGigabytes(BigInt(rows[0]?.traffic ?? 0)),
    balances: rows.map((row) => ({
      currency: row.currency,
      balance: amountOf(row, row.balance),
      hold: amountOf(row, row.hold),
      bonus_balance: amountOf(row, row.bonus_balance),
      bonus_hold: amountOf(row, row.bonus_hold),
    })),
    total_earnings: earned.map((row) => ({
      currency: row.currency,
      amount: amountOf(row, row.total),
    })),
    yesterday_earnings: earned.map((row) => ({
      currency: row.currency,
      amount: amountOf(row, row.yesterday),
    })),
    today_earnings: earned.map((row) => ({
      currency: row.currency,
      amount: amountOf(row, row.today),
    })),
    accrued: reward
      ? [{ currency: rewardCurrency, amount: exactAmount(accrued, reward.scale) }]
      : [],
  };
}
