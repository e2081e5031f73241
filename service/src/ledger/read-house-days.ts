/** What an account of the house had before and after each of some days, without its bills. */
import type { Db } from '../db/index.ts';
import { addDays, startOfDay } from '../lib/calendar.ts';
import { compareBalances, readWalletsAt } from './balances-at.ts';
import { referenceOf } from './reference-data.ts';
import type { HouseAccount } from './types.ts';
import { SHARDS, toHouseWalletId } from './wallet-ids.ts';

interface HouseDay {
  readonly day: string;
  readonly opening: bigint;
  readonly closing: bigint;
  readonly bills: number;
}

/** Shard after shard, so that one reader has one connection only. */
export async function readHouseDays(
  db: Db,
  house: HouseAccount,
  currency: string,
  days: readonly string[],
): Promise<HouseDay[]> {
  const kind = (await referenceOf(db, { kinds: [house] })).kinds.get(house);
  if (!kind) throw new Error(`there is no account of the kind ${house}`);
  const ends = days.map((day) => [startOfDay(day), startOfDay(addDays(day, 1))] as const);
  const sums = days.map((day) => ({ day, opening: 0n, closing: 0n, bills: 0 }));
  for (let shard = 0; shard < SHARDS; shard++) {
    const walletId = toHouseWalletId(kind.id, shard);
    const { at, currencies } = await readWalletsAt(db, walletId, ends.flat());
    for (const [n, [from, before]] of ends.entries()) {
      const change = compareBalances(currencies, at(from), at(before)).find(
        (entry) => entry.currency === currency,
      );
      const sum = sums[n];
      if (!change || !sum) continue;
      sum.opening += change.opening;
      sum.closing += change.closing;
      sum.bills += change.bills;
    }
  }
  return sums;
}
