/** What a settlement pays and takes. */
import type { Transaction } from '../db/index.ts';
import type { Sums } from './anchor-root.ts';

/**
 * In SQL, `credits` and `debits` of some lines, without those that the ledger refused: each line is
 * looked up among these, because a join could read all of them for each subtree.
 * @param where true of lines `l`
 */
export const sumPaid = (
  where: string,
): string => `select coalesce(sum(amount) filter (where amount > 0), 0) as credits,
    coalesce(-sum(amount) filter (where amount < 0), 0) as debits
  from reward_line l where ${where} and status = 'paid'
    and not exists (
      select from reward_refusal r where r.batch_id = l.batch_id and r.leaf = l.leaf offset 0
    )`;

const asText = (sums: string): string => `select credits::text, debits::text from (${sums}) sums`;

/** Each subtree has the sums of its lines; null: one was hashed by the version before. */
const SUM_CHUNKS = asText(`select
    case when count(*) = count(credits) then coalesce(sum(credits), 0) end as credits,
    case when count(*) = count(debits) then coalesce(sum(debits), 0) end as debits
  from reward_chunk where batch_id = $1`);

const SUM_LINES = asText(sumPaid('batch_id = $1'));

/** The sums of a settlement whose lines are all posted. */
export async function sumSettlement(tx: Transaction, id: number): Promise<Sums> {
  for (const sql of [SUM_CHUNKS, SUM_LINES]) {
    const { rows } = await tx.query<{ credits: string | null; debits: string | null }>(sql, [id]);
    const { credits = null, debits = null } = rows[0] ?? {};
    if (credits !== null && debits !== null) return { credits, debits };
  }
  throw new Error(`settlement ${id} has no sums`);
}
