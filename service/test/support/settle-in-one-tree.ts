/** Settles an hour as versions without buckets did. The role of the database owns its tables. */
import { expect } from 'vitest';
import type { Database } from '../../src/db/index.ts';

/** Lines of all buckets in their order, in one tree. */
const RENUMBER = `update reward_line l set leaf = n.leaf
  from (
    select l.batch_id, l.leaf as old, row_number() over (order by l.leaf) - 1 as leaf
    from reward_line l join reward_batch b on b.id = l.batch_id where b.step = 'bills'
  ) n
  where l.batch_id = n.batch_id and l.leaf = n.old`;

/** @param settle settles the hour that is due, and no other */
export async function settleInOneTree(
  database: Database,
  settle: () => Promise<unknown>,
): Promise<void> {
  await database.query(
    `create function computed_only() returns trigger language plpgsql as $$
      begin raise exception 'computed only'; end $$`,
  );
  await database.query(
    `create trigger computed_only before insert on reward_chunk for each row
      execute function computed_only()`,
  );
  await expect(settle()).rejects.toThrow('computed only');
  await database.query('drop function computed_only() cascade');
  await database.query(RENUMBER);
  await database.query(
    `delete from reward_bucket k using reward_batch b
      where b.id = k.batch_id and b.step = 'bills'`,
  );
  await database.query("update reward_batch set step = null where step = 'bills'");
  await settle();
}
