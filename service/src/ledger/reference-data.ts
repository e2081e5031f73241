/**
 * Currencies, transaction types and kinds of wallets: data in the database, kept in memory because
 * they only ever grow.
 */
import {
  type Database,
  type Db,
  databaseOf,
  defineStatement,
  execute,
  queryNamed,
  refreshStatistics,
  transaction,
} from '../db/index.ts';
import type { AccountRef, Currency, TransactionType, WalletKind } from './types.ts';
import { getWalletCode, USER_KINDS } from './wallet-ids.ts';

export interface ReferenceData {
  /**
   * Changes with everything below: what was resolved with these names is written only while the
   * database has the same mark.
   */
  readonly mark: string;
  readonly currencies: ReadonlyMap<string, Currency>;
  readonly currenciesById: ReadonlyMap<number, Currency>;
  readonly businesses: ReadonlyMap<string, TransactionType>;
  readonly businessesById: ReadonlyMap<number, TransactionType>;
  readonly kinds: ReadonlyMap<string, WalletKind>;
  readonly kindsById: ReadonlyMap<number, WalletKind>;
}

/** What a caller needs: by code, as users and callers name it, or by id, as stored rows do. */
export interface Needed {
  readonly currencies?: Iterable<string | number>;
  readonly businesses?: Iterable<string | number>;
  readonly kinds?: Iterable<string | number>;
}

const known = new WeakMap<Database, ReferenceData>();

function byCode<T extends { code: string }>(rows: readonly T[]): Map<string, T> {
  return new Map(rows.map((row) => [row.code, row]));
}

function byId<T extends { id: number }>(rows: readonly T[]): Map<number, T> {
  return new Map(rows.map((row) => [row.id, row]));
}

/** The database may be another than it was. */
export function forgetReference(database: Database): void {
  known.delete(database);
}

const CHANGED: ReadonlySet<unknown> = new Set([
  'reference_data_version',
  'account_kind_fkey',
  'account_currency_fkey',
]);

/**
 * True of a write with names that the database no longer has, or that stand for something else
 * there: the next try reads them anew.
 */
export function forgetChanged(db: Db, error: unknown): boolean {
  const isChanged =
    typeof error === 'object' &&
    error !== null &&
    'constraint' in error &&
    CHANGED.has(error.constraint);
  if (isChanged) forgetReference(databaseOf(db));
  return isChanged;
}

const LOAD_REFERENCE_DATA = defineStatement(
  'ledger_load_reference_data',
  `select mark,
    (select json_agg(c order by id) from (select id, code, scale from currency) c) as currencies,
    (select json_agg(t order by id) from (
      select id, code, is_earning as "isEarning", counter, credit_sign as "creditSign",
        reversed_as as "reversedAs" from transaction_type
    ) t) as businesses,
    (select json_agg(k order by id) from (
      select id, code, is_house as "isHouse" from wallet_kind
    ) k) as kinds
  from (select (select mark from reference_data_version limit 1) as mark) v`,
);

interface LoadedRow {
  readonly mark: string | null;
  readonly currencies: readonly Currency[] | null;
  readonly businesses: readonly TransactionType[] | null;
  readonly kinds: readonly WalletKind[] | null;
}

/** Reads the reference data anew. */
export async function loadReference(db: Db): Promise<ReferenceData> {
  const [loaded] = (await execute<LoadedRow>(db, LOAD_REFERENCE_DATA, {})).rows;
  const [currencies, businesses, kinds] = [
    loaded?.currencies ?? [],
    loaded?.businesses ?? [],
    loaded?.kinds ?? [],
  ];
  const reference = {
    mark: loaded?.mark ?? '',
    currencies: byCode(currencies),
    currenciesById: byId(currencies),
    businesses: byCode(businesses),
    businessesById: byId(businesses),
    kinds: byCode(kinds),
    kindsById: byId(kinds),
  };
  known.set(databaseOf(db), reference);
  return reference;
}

function hasAll(
  codes: ReadonlyMap<string, unknown>,
  ids: ReadonlyMap<number, unknown>,
  names: Iterable<string | number> = [],
): boolean {
  for (const name of names) {
    if (typeof name === 'string' ? !codes.has(name) : !ids.has(name)) return false;
  }
  return true;
}

/**
 * The reference data, with what is needed in it where the database has it: another process may have
 * added it a moment ago, so what is not known is read anew. Callers name here first what they look
 * up; a batch names all of it at once.
 */
export async function referenceOf(
  db: Db,
  { currencies, businesses, kinds }: Needed,
): Promise<ReferenceData> {
  const cached = known.get(databaseOf(db));
  const isKnown =
    cached !== undefined &&
    hasAll(cached.currencies, cached.currenciesById, currencies) &&
    hasAll(cached.businesses, cached.businessesById, businesses) &&
    hasAll(cached.kinds, cached.kindsById, kinds);
  return isKnown ? cached : loadReference(db);
}

/**
 * The kind of wallet that an account is of; undefined when there is none of that name, or not for
 * such an owner.
 */
export function resolveWalletKind(
  reference: ReferenceData,
  ref: AccountRef,
): WalletKind | undefined {
  const kind = reference.kinds.get(getWalletCode(ref));
  return kind?.isHouse === 'house' in ref ? kind : undefined;
}

const CURRENCIES = 'select id, code, scale from currency order by id';

/**
 * Every currency, in the order of their ids; as the database has them now, for another process may
 * have added one.
 */
export async function listCurrencies(db: Db): Promise<Currency[]> {
  return (await db.prepared<Currency>('ledger_currencies', CURRENCIES)).rows;
}

export async function findCurrency(db: Db, code: string): Promise<Currency | undefined> {
  return (await referenceOf(db, { currencies: [code] })).currencies.get(code);
}

/**
 * Looks first: `on conflict` alone draws an id for what is there already, with every start of a
 * process, and those are few.
 */
const ADD_BUSINESS = `insert into transaction_type (code, is_earning) select :code, :is_earning
  where not exists (select from transaction_type where code = :code)
  on conflict (code) do nothing`;
const ADD_CURRENCY = `insert into currency (code, scale) select :code, :scale
  where not exists (select from currency where code = :code)
  on conflict (code) do nothing`;

/** Adds a transaction type unless it exists; gives the one that is there. */
export async function ensureBusiness(
  db: Db,
  code: string,
  { isEarning }: { isEarning: boolean },
): Promise<TransactionType> {
  const { rowCount } = await queryNamed(db, ADD_BUSINESS, { code, is_earning: isEarning });
  if (rowCount > 0) await refreshStatistics(db, 'transaction_type');
  const business = (await loadReference(db)).businesses.get(code);
  if (!business) throw new Error(`the transaction type ${code} was not stored`);
  return business;
}

/** Adds a currency unless it exists; gives the one that is there. */
export async function ensureCurrency(db: Db, code: string, scale: number): Promise<Currency> {
  // In a transaction, which names its actor.
  const { rowCount } = await transaction(db, (tx) => queryNamed(tx, ADD_CURRENCY, { code, scale }));
  // Autovacuum never reaches tables this small.
  if (rowCount > 0) await refreshStatistics(db, 'currency');
  const currency = (await loadReference(db)).currencies.get(code);
  if (!currency) throw new Error(`the currency ${code} was not stored`);
  return currency;
}

/** Every kind of wallet, in the order of their ids: people's first. */
export async function listWalletKinds(db: Db): Promise<WalletKind[]> {
  return [...(await loadReference(db)).kinds.values()];
}

/**
 * What a kind of wallet may be called; `users` stands for all people in the balances of the house.
 */
export const WALLET_CODE = /^(?!users$)[a-z][a-z0-9_]{1,31}$/;

/** Ids that kinds of wallets may have: they are packed into the ids of wallets. */
const KIND_IDS = {
  people: { first: 1, last: USER_KINDS - 1 },
  house: { first: USER_KINDS, last: 32_767 },
} as const;

const ADD_KIND = `insert into wallet_kind (id, code, is_house)
  select next.id, :code, :is_house
  from (select coalesce(max(id) + 1, :first::int) as id from wallet_kind
    where is_house = :is_house) as next
  where next.id <= :last and not exists (select from wallet_kind where code = :code)`;

/**
 * Adds a kind of wallet unless it exists; gives the one that is there, or undefined when no id is
 * left for it.
 */
export async function ensureWalletKind(
  db: Db,
  code: string,
  { isHouse }: { isHouse: boolean },
): Promise<WalletKind | undefined> {
  const { first, last } = KIND_IDS[isHouse ? 'house' : 'people'];
  await transaction(db, async (tx) => {
    await tx.query('lock table wallet_kind in share row exclusive mode');
    const { rowCount } = await queryNamed(tx, ADD_KIND, { code, is_house: isHouse, first, last });
    if (rowCount > 0) await refreshStatistics(tx, 'wallet_kind');
  });
  return (await loadReference(db)).kinds.get(code);
}
