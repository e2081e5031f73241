/** Pages of lists over all users: counted up to a limit, so that the cost of a page has one too. */
import { defineStatement, executeUnprepared, queryNamed, type Values } from './statement.ts';
import { readTransaction } from './transaction.ts';
import type { Db } from './types.ts';

/** Lists over all users are counted, and paged, up to here. */
export const LISTED_MAX = 10_000;

export interface KeyPage {
  /** Of the rows on the page, in the order of the list. */
  readonly keys: number[];
  /** Rows on all pages together; one more than `LISTED_MAX` when there are more. */
  readonly total: number;
  /** How many there are by the statistics of the database, if there are more than are counted. */
  readonly estimate?: number;
}

type Page = { readonly current: number; readonly size: number };

interface PagedKeys {
  /** Gives `key` of each row, in any order, of as many rows as are counted. */
  readonly counted: string;
  /** Gives `key` and `place` of each row of the page; the places only have its order. */
  readonly page: string;
  /** Settings of the planner that are turned off. */
  readonly settings: readonly string[];
}

async function readKeys(
  db: Db,
  { counted, page, settings }: PagedKeys,
  values: Values,
  { current, size }: Page,
): Promise<KeyPage> {
  const statement = defineStatement(
    'list-keys',
    `with counted as (${counted})
      select (select count(*) from counted) as total,
        coalesce((select array_agg(key order by place) from (${page}) page), '{}') as keys`,
  );
  return readTransaction(db, async (tx) => {
    for (const setting of settings) await tx.query(`set local ${setting} = off`);
    const skipped = (current - 1) * size;
    const { rows } = await executeUnprepared<KeyPage>(tx, statement, {
      ...values,
      skipped,
      size: Math.max(0, Math.min(size, LISTED_MAX - skipped)),
    });
    return rows[0] ?? { keys: [], total: 0 };
  });
}

interface Explained {
  readonly 'QUERY PLAN': readonly { readonly Plan: { readonly 'Plan Rows': number } }[];
}

/** Rows that the planner expects: no row is read. */
async function estimateRows(db: Db, list: string, values: Values): Promise<number> {
  const { rows } = await queryNamed<Explained>(db, `explain (format json) ${list}`, values);
  return rows[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0;
}

/**
 * Finds the rows of a page, and how many there are, in one statement, both along an index: the
 * count reads no more than the index where the list asks for nothing else. Settings of
 * the planner enforce it: it takes reading and sorting the whole table for cheaper than 10,000 rows
 * by index until the table is some hundred times as large.
 * @param list gives `key`, a number, of each row in the order of the list, which is that of an
 *   index; without a limit. Its parameters are `:name`, except `:size` and `:skipped`
 */
export async function listKeys(db: Db, list: string, values: Values, page: Page): Promise<KeyPage> {
  const found = await readKeys(
    db,
    {
      counted: `${list} limit ${LISTED_MAX + 1}`,
      page: `select key, row_number() over () as place
        from (${list} limit :size::bigint offset :skipped::bigint) listed`,
      settings: ['enable_seqscan', 'enable_sort'],
    },
    values,
    page,
  );
  if (found.total <= LISTED_MAX) return found;
  const estimate = await estimateRows(db, list, values);
  return { ...found, estimate: Math.max(found.total, Math.round(estimate)) };
}

/** Rows that an index finds in no order. */
export interface KeySearch {
  /** Gives `key` of each row. */
  readonly search: string;
  /** The same rows in the order of the keys, along an index. */
  readonly list: string;
}

/**
 * Finds a page of rows that an index finds in no order: the largest keys come first. When more is
 * found than is listed, it goes along the keys instead, which meets enough rows soon.
 */
export async function searchKeys(
  db: Db,
  { search, list }: KeySearch,
  values: Values,
  page: Page,
): Promise<KeyPage> {
  const found = await readKeys(
    db,
    {
      counted: `${search} limit ${LISTED_MAX + 1}`,
      page: `select key, row_number() over () as place
        from (select key from counted order by key desc limit :size::bigint
          offset :skipped::bigint) listed`,
      settings: ['enable_seqscan', 'enable_indexscan'],
    },
    values,
    page,
  );
  return found.total > LISTED_MAX ? listKeys(db, list, values, page) : found;
}
