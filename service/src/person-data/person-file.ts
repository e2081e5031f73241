/** A file of the archive that a user gets: which rows of which table, and how they are shown. */
import { defineStatement, type Statement } from '../db/index.ts';

export type ColumnType = 'integer' | 'decimal' | 'boolean' | 'text' | 'time' | 'any';

export interface PersonFile {
  /** Name of the file without its ending. */
  readonly name: string;
  readonly description: string;
  /** All tables whose rows the file shows, the one with the columns first. */
  readonly tables: readonly string[];
  /** SQL after `from`; `t` is the table with the columns. */
  readonly from: string;
  /** SQL of the rows of the table with the columns, which `from` begins with: `t` is its name. */
  readonly rows: string;
  /** SQL condition of the rows of user `:user_id`. */
  readonly where: string;
  /** Columns of an index, which give the order; in it, pages are read. */
  readonly keys: readonly string[];
  /** Columns that are left out, each with the reason. */
  readonly omitted: Readonly<Record<string, string>>;
  /** Columns that are added or shown otherwise: their SQL and type. */
  readonly shown: Readonly<Record<string, readonly [sql: string, type: ColumnType]>>;
  /**
   * An index has the rows in the order of the keys, and a user may have very many: without
   * statistics a planner would sort all of them for each page.
   */
  readonly readsInOrder: boolean;
  /** `t.sealed` has values of columns, encrypted under the key of the user. */
  readonly isSealed: boolean;
}

type FileInput = Pick<PersonFile, 'description' | 'keys'> &
  Partial<
    Pick<
      PersonFile,
      'name' | 'from' | 'rows' | 'where' | 'omitted' | 'shown' | 'isSealed' | 'readsInOrder'
    >
  > & {
    /** Further tables that the rows are read from. */
    readonly also?: readonly string[];
  };

/** Rows of a table; by default those with the `user_id`, in a file with the name of the table. */
export function fileOf(table: string, input: FileInput): PersonFile {
  const { name = table, also = [], where = 't.user_id = :user_id' } = input;
  const { rows = table, description, keys, omitted = {}, shown = {} } = input;
  const { from = `${rows} t` } = input;
  const { isSealed = false, readsInOrder = false } = input;
  const tables = [table, ...also];
  const sql = { from, rows, where, keys, omitted, shown };
  return { name, description, tables, ...sql, isSealed, readsInOrder };
}

/** Minor units as a plain decimal of a currency, by default `c`. */
export function money(minor: string, currency = 'c'): readonly [sql: string, type: ColumnType] {
  return [
    `case when ${currency}.scale = 0 then (${minor})::text
      else trim_scale((${minor}) * (10::numeric ^ -${currency}.scale))::text end`,
    'decimal',
  ];
}

/** Columns that a reader of JSON could round: digit by digit, as text. */
export function exact(
  ...columns: string[]
): Record<string, readonly [sql: string, type: ColumnType]> {
  return Object.fromEntries(columns.map((name) => [name, [`t.${name}::text`, 'decimal']]));
}

export const text = (sql: string): readonly [sql: string, type: ColumnType] => [sql, 'text'];

/** Setting of the transaction that reads a page of a file that is read in order. */
export const WITHOUT_SORT = 'set local enable_sort = off';

/** Rows of a page at most. */
export const PAGE_ROWS = 1000;

const quote = (value: string): string => `'${value.replaceAll("'", "''")}'`;

export type Place = readonly (string | null)[];

const AFTER = 'after_';

/** Parameters of `pageQuery`. */
export function pageValues(userId: number, after: Place = []): Record<string, unknown> {
  const places = after.map((value, i) => [`${AFTER}${i}`, value] as const);
  return { user_id: userId, ...Object.fromEntries(places) };
}

/**
 * One page of lines, with the place of each as text. A page that is not the first begins after a
 * place.
 */
export function pageQuery(file: PersonFile, isFirst: boolean): Statement {
  const { from, where, keys, omitted, shown, isSealed } = file;
  const left = [...Object.keys(omitted), ...Object.keys(shown)].map(quote).join(', ');
  const pairs = Object.entries(shown).map(([name, [sql]]) => `${quote(name)}, ${sql}`);
  const added = pairs.length === 0 ? '' : ` || jsonb_build_object(${pairs.join(', ')})`;
  const places = keys.map((_, i) => `:${AFTER}${i}`).join(', ');
  const sealed = isSealed ? ', t.sealed' : '';
  // The first column by itself: an index of its table then begins at the place, even where the
  // columns are of two tables.
  const after = isFirst
    ? ''
    : ` and ${keys[0]} >= :${AFTER}0 and (${keys.join(', ')}) > (${places})`;
  const page = `where ${where}${after} order by ${keys.join(', ')} limit ${PAGE_ROWS}`;
  // Limited before the joins: otherwise a planner without statistics joins all rows for each page.
  const base = `${file.rows} t`;
  const rows = from.startsWith(base)
    ? `(select t.* from ${base} ${page}) t${from.slice(base.length)} order by ${keys.join(', ')}`
    : `${from} ${page}`;
  return defineStatement(
    `person-${file.name}`,
    `select ((to_jsonb(t) - array[${left}]::text[])${added})::text as line,
      array[${keys.map((key) => `(${key})::text`).join(', ')}] as place${sealed}
    from ${rows}`,
  );
}
