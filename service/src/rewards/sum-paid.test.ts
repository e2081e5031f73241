/** The sums of subtrees are those of their lines, also where an older instance hashed some. */
import { expect, test } from 'vitest';
import { openTestDatabase } from '../../test/support/databases.ts';
import { createDayNetwork } from '../../test/support/day-network.ts';
import { transaction } from '../db/index.ts';
import { openAccounts } from '../ledger/index.ts';
import { type RewardPeriod, settleDue } from './index.ts';
import { sumPaid, sumSettlement } from './sum-paid.ts';

test.each<RewardPeriod>(['hour', 'day'])(
  'refused lines are in no sum, by the %s',
  async (period) => {
    const database = await openTestDatabase('server', { isOwner: true });
    const { network, deps, useDay, endDay } = await createDayNetwork(database, 1);
    const [, rich] = network.users;
    await transaction(database, (tx) => openAccounts(tx, rich));
    await database.query('update account set credits = $2, debits = $2 where user_id = $1', [
      rich,
      '9'.repeat(78),
    ]);
    const day = await useDay([0, 23]);
    await settleDue(deps(database, period));
    endDay(day);
    await settleDue(deps(database, period));
    const { rows: batches } = await database.query<{ id: number }>(
      "select id from reward_batch where state = 'settled' and lines > 0 order by id",
    );
    expect(batches.length).toBeGreaterThan(1);
    for (const { id } of batches) {
      const lines = await database.query<{ credits: string; debits: string }>(
        `select credits::text, debits::text from (${sumPaid('l.batch_id = $1')}) s`,
        [id],
      );
      const refused = await database.query('select from reward_refusal where batch_id = $1', [id]);
      expect(refused.rowCount).toBeGreaterThan(0);
      const sum = () => transaction(database, (tx) => sumSettlement(tx, id));
      expect(await sum()).toEqual(lines.rows[0]);
      const change = (to: string) =>
        database.query(
          `update reward_chunk set credits = ${to}
          where batch_id = $1
            and chunk = (select max(chunk) from reward_chunk where batch_id = $1)`,
          [id],
        );
      // The subtrees are what is read,
      await change('credits + 1');
      expect(BigInt((await sum()).credits)).toBe(BigInt(lines.rows[0]?.credits ?? 0) + 1n);
      // and the lines where one has none.
      await change('null');
      expect(await sum()).toEqual(lines.rows[0]);
    }
    await database.close();
  },
);
