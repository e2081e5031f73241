/** What a person earned in one wallet: the sums over all their wallets less what came into the others. */
import type { Db } from '../db/index.ts';
import { BLOCK } from './insert-batch.ts';
import { type Earning, readEarningTotals } from './queries.ts';
import { referenceOf } from './reference.ts';
import type { UserWallet } from './types.ts';
import { walletOfUser, walletRangeOf } from './wallet-ids.ts';

type Total = Omit<Earning, 'day'>;

/** Reads the bills of full blocks that count earnings, and of the last block, which is not counted yet; nothing else of a long history. */
const ELSEWHERE = `with other as (
    select wallet_id, div(sum(seq), ${BLOCK})::bigint as blocks from account where wallet_id between $1 and $2 and wallet_id <> $3 group by wallet_id
  ), part as (
    select distinct o.wallet_id, n.block from other o join entry_block n on n.wallet_id = o.wallet_id join business b on b.id = n.business_id and b.is_earning
    union select wallet_id, blocks from other
  )
  select c.code as currency, c.scale, coalesce(t.reward_type, '') as "rewardType", sum(case e.direction when 1 then e.amount else -e.amount end) as amount
  from part p join entry e on e.wallet_id = p.wallet_id and e.position > p.block * ${BLOCK} and e.position <= (p.block + 1) * ${BLOCK}
    join business b on b.id = e.business_id and b.is_earning join transfer t on t.id = e.transfer_id join currency c on c.id = e.currency_id
  group by c.id, 3`;

/** A person's earnings of all time in one of their wallets, by currency and reward type. */
export async function readWalletEarnings(db: Db, userId: number, wallet: UserWallet): Promise<Total[]> {
  const kind = (await referenceOf(db, { kinds: [wallet] })).kinds.get(wallet);
  if (!kind) throw new Error(`there is no wallet ${wallet}`);
  const totals = await readEarningTotals(db, userId);
  if (totals.length === 0) return totals;
  const { rows } = await db.prepared<Omit<Total, 'amount'> & { amount: string }>('ledger_earnings_elsewhere', ELSEWHERE, [
    ...walletRangeOf(userId),
    walletOfUser(userId, kind.id),
  ]);
  const elsewhere = new Map(rows.map((row) => [`${row.currency}/${row.rewardType}`, BigInt(row.amount)]));
  return totals.flatMap((total) => {
    const other = elsewhere.get(`${total.currency}/${total.rewardType}`);
    const amount = total.amount - (other ?? 0n);
    return other !== undefined && amount === 0n ? [] : { ...total, amount };
  });
}
