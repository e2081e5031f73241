/** The earnings of a user by day, currency and reward type, as the ledger rolls them up. */
import type { Db } from '../../src/db/index.ts';

interface Earning {
  readonly day: string;
  readonly currency: string;
  readonly scale: number;
  readonly rewardType: string;
  readonly amount: bigint;
}

export async function readEarnings(db: Db, userId: number): Promise<Earning[]> {
  const { rows } = await db.query<Omit<Earning, 'amount'> & { amount: string }>(
    `select d.day, c.code as currency, c.scale, d.reward_type as "rewardType",
       sum(d.amount) as amount
     from earning_day d join currency c on c.id = d.currency_id
     where d.user_id = $1 group by d.day, c.id, d.reward_type order by d.day, c.id, d.reward_type`,
    [userId],
  );
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}
