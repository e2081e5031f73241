/** Pages of lists that hold what everybody has: counted up to a limit, so that no page costs more the more there is. */
import { transaction } from './transaction.ts';
import type { Db } from './types.ts';

/** No list of everybody is counted, or paged, further. */
export const LISTED_MAX = 10_000;

export interface KeyPage {
  /** Of the rows on the page, in the order of the list. */
  readonly keys: number[];
  /** Rows on all pages together; one more than `LISTED_MAX` when there are more. */
  readonly total: number;
}

type Page = { readonly current: number; readonly size: number };

async function readKeys(
  db: Db,
  numbered: string,
  settings: readonly string[],
  values: readonly unknown[],
  { current, size }: Page,
): Promise<KeyPage> {
  const [first, last] = [values.length + 1, values.length + 2];
  const text = `with found as materialized (${numbered})
    select (select count(*) from found) as total,
      coalesce((select array_agg(key order by place) from found where place > $${first}::bigint and place <= $${last}::bigint), '{}') as keys`;
  return transaction(db, async (tx) => {
    for (const setting of settings) await tx.query(`set local ${setting} = off`);
    const { rows } = await tx.query<KeyPage>(text, [
      ...values,
      (current - 1) * size,
      current * size,
    ]);
    return rows[0] ?? { keys: [], total: 0 };
  });
}

/**
 * Finds the rows of a page, and how many there are, in one go along an index. The planner is told so: it takes reading and
 * sorting the whole table for cheaper than 10,000 rows by index until the table is some hundred times as large.
 * @param list gives `key`, a number, of each row in the order of the list, which is that of an index; without a limit
 */
export function listKeys(
  db: Db,
  list: string,
  values: readonly unknown[],
  page: Page,
): Promise<KeyPage> {
  const numbered = `select key, row_number() over () as place from (${list} limit ${LISTED_MAX + 1}) listed`;
  return readKeys(db, numbered, ['enable_seqscan', 'enable_sort'], values, page);
}

/**
 * The same of what an index finds in no order: the largest keys come first.
 * @param search gives `key` of each row; @param list the same in order, for when more is found than is listed: then going along
 * the keys meets enough of it soon
 */
export async function searchKeys(
  db: Db,
  search: string,
  list: string,
  values: readonly unknown[],
  page: Page,
): Promise<KeyPage> {
  const numbered = `select key, row_number() over (order by key desc) as place from (${search} limit ${LISTED_MAX + 1}) found`;
  const found = await readKeys(db, numbered, ['enable_seqscan', 'enable_indexscan'], values, page);
  return found.total > LISTED_MAX ? listKeys(db, list, values, page) : found;
}
