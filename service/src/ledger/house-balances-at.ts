/** What accounts of the house had at an instant: figures of days, without reading their bills. */
import { type Db, defineStatement, execute } from '../db/index.ts';
import { readScopes, SCOPES } from './house-statements.ts';
import { lastEntry } from './statements.ts';
import type { HouseAccount } from './types.ts';

const AT = defineStatement(
  'house_balances_at',
  `select c.code as currency, coalesce(sum(e.balance_after), 0)::text as balance
  from ${SCOPES} cross join currency c
    left join lateral ${lastEntry('shard.wallet_id', 'shard.high', 'c.id')} e on true
  group by c.code`,
);

/** Balance of a house account before an instant, by currency: credits minus debits. */
export async function readHouseBalancesAt(
  db: Db,
  house: HouseAccount,
  instant: Date,
): Promise<ReadonlyMap<string, bigint>> {
  const scopes = await readScopes(db, house, { before: instant });
  const { rows } = await execute<{ currency: string; balance: string }>(db, AT, {
    wallets: scopes.map(({ walletId }) => walletId),
    lows: scopes.map(({ low }) => low),
    highs: scopes.map(({ high }) => high),
  });
  return new Map(rows.map(({ currency, balance }) => [currency, BigInt(balance)]));
}
