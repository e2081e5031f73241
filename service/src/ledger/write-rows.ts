/** Writes the rows of a batch, all in one statement: transfers, entries, balances, roll-ups and the seal over them. */
import type { KeyObject } from 'node:crypto';
import type { Transaction } from '../db/index.ts';
import { anyLength, plainArray, textArray, timeArray } from './arrays.ts';
import { type AccountState, type Books, CREDIT, DEBIT, type Lane, type TransferRow } from './books.ts';
import { remember } from './known-books.ts';
import { sealBooks } from './seal.ts';
import { readWalletId } from './wallet-ids.ts';

export const BLOCK = 256;

/**
 * Arrays side by side as columns, for a list of `select`: there they are read where they are, while `from unnest(a, b, …)`
 * first copies each into a table of its own.
 * @param columns `name type` each; @param first number of the first parameter
 */
function columnsOf(columns: readonly string[], first: number): string {
  return columns
    .map((column, i) => {
      const [name, type] = column.split(' ');
      const array = `$${first + i}::${type}[]`;
      return `unnest(${i === 0 ? anyLength(array) : array}) as ${name}`;
    })
    .join(', ');
}

const LEG = (side: string): string[] => [`${side}_wallet bigint`, `${side}_position bigint`, `${side}_seq bigint`, `${side}_after numeric`];
const TRANSFER = [
  ...['id bigint', ...LEG('debit'), ...LEG('credit'), 'event_at timestamptz', 'reverses bigint', 'hold_id bigint', 'currency_id smallint'],
  ...['business_id smallint', 'may_overdraw boolean', 'amount numeric', 'request_hash text', 'idem text', 'reward_type text', 'node_id text'],
  ...['reference text', 'remark text'],
];
const EARNING = ['user_id bigint', 'day date', 'kind_id smallint', 'currency_id smallint', 'reward_type text', 'node_id text', 'amount numeric'];
const ACCOUNT = [
  ...['wallet_id bigint', 'currency_id smallint', 'user_id bigint', 'kind_id smallint', 'guarded boolean', 'seq bigint', 'overdrawn boolean'],
  ...['debits numeric', 'credits numeric', 'held numeric', 'deposited numeric', 'withdrawn numeric', 'version bigint'],
];

/** Numbers of the parameters: the time first, then the arrays, then the seal, the one before it, and what guards the accounts. */
const FIRST = 2;
const SEAL = FIRST + TRANSFER.length + EARNING.length + ACCOUNT.length;
const PREVIOUS_MAC = SEAL + 8;
const VERSION = SEAL + 9;
const PEOPLE = SEAL + 10;
const HOUSES = SEAL + 11;
const REFERENCE_MARK = SEAL + 12;
const SIBLINGS = SEAL + 13;
const IDEMS = FIRST + TRANSFER.findIndex((column) => column.startsWith('idem '));

/**
 * Accounts are written by `on conflict` although they are there, because it asks the index whatever the planner believed of
 * the table when it made the plan: an `update … from` planned while the table was small reads all of it.
 */
const writeAccounts = (
  which: string,
): string => `insert into account as a (wallet_id, currency_id, user_id, kind_id, guarded, seq, overdrawn, debits, credits, held, deposited, withdrawn, version, posted_at)
  select *, $1 from n where ${which}
  on conflict (wallet_id, currency_id) do update set seq = excluded.seq, posted_at = excluded.posted_at, overdrawn = excluded.overdrawn, version = $${VERSION},
    debits = excluded.debits, credits = excluded.credits, held = excluded.held, deposited = excluded.deposited, withdrawn = excluded.withdrawn
  where a.version = excluded.version returning version`;

/**
 * All rows of a batch in one statement. Entries are written from the transfers' own arrays: what both say is sent and
 * parsed once. `reference_changed` fails with 40001: a currency, business or kind of wallet may not be what the batch took it
 * for. So does `ledger_race`: an account or the lane is not as the batch took it to be, or one of the names of its postings
 * was refused to somebody else after the batch had looked. The last select asks for the accounts of people, then the lane,
 * which is not waited for, then the accounts of the house: it locks in the order in which everybody does. An account that is
 * not there is inserted with the version that it was to have, and so not counted. The other accounts of a wallet that have
 * entries are looked at, too, where they are remembered and not locked: the places of the wallet's next entries hang on them.
 */
const WRITE = `with t as materialized (select ${columnsOf(TRANSFER, FIRST)}), written_transfer as (
  insert into transfer (id, debit_wallet, debit_position, credit_wallet, credit_position, event_at, created_at, reverses, hold_id, currency_id, business_id, may_overdraw, amount, request_hash, idem, reward_type, node_id, reference, remark)
  select id, debit_wallet, debit_position, credit_wallet, credit_position, event_at, $1, reverses, hold_id, currency_id, business_id, may_overdraw, amount, decode(request_hash, 'hex'), idem, reward_type, node_id, reference, remark from t
), written_entry as (
  insert into entry (wallet_id, position, seq, transfer_id, created_at, currency_id, business_id, direction, amount, balance_after)
  select debit_wallet, debit_position, debit_seq, id, $1::timestamptz, currency_id, business_id, ${DEBIT}::smallint, amount, debit_after from t
  union all select credit_wallet, credit_position, credit_seq, id, $1::timestamptz, currency_id, business_id, ${CREDIT}::smallint, amount, credit_after from t
), e as materialized (select ${columnsOf(EARNING, FIRST + TRANSFER.length)}), written_day as (
  insert into earning_day as d (user_id, day, currency_id, reward_type, node_id, amount)
  select user_id, day, currency_id, reward_type, node_id, sum(amount) from e group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (user_id, day, currency_id, reward_type, node_id) do update set amount = d.amount + excluded.amount
), written_total as (
  insert into earning_total as t (user_id, kind_id, currency_id, reward_type, amount)
  select user_id, kind_id, currency_id, reward_type, sum(amount) from e group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (user_id, kind_id, currency_id, reward_type) do update set amount = t.amount + excluded.amount
), n as materialized (select ${columnsOf(ACCOUNT, FIRST + TRANSFER.length + EARNING.length)}), people as (
  ${writeAccounts('wallet_id > 0')}
), house as (
  ${writeAccounts('wallet_id < 0')}
), written_seal as (
  insert into seal (lane, position, first_transfer, transfers, first_step, steps, created_at, mac, leaves)
  values ($${SEAL}, $${SEAL + 1}, $${SEAL + 2}, $${SEAL + 3}, $${SEAL + 4}, $${SEAL + 5}, $1, $${SEAL + 6}, $${SEAL + 7})
), lane as (
  update ledger_lane set seals = $${SEAL + 1}, transfers = $${SEAL + 2}::bigint + $${SEAL + 3}::int, steps = $${SEAL + 4}::bigint + $${SEAL + 5}::int, mac = $${SEAL + 6}
  where ctid = any (array(select ctid from ledger_lane where lane = $${SEAL} and mac = $${PREVIOUS_MAC} for no key update skip locked)) returning 1
)
select case when (select mark from reference_mark) is distinct from $${REFERENCE_MARK}::uuid then reference_changed()
  when (select count(*) from people where version = $${VERSION}) <> $${PEOPLE} then ledger_race() when not exists (select from lane) then ledger_race()
  when (select count(*) from house where version = $${VERSION}) <> $${HOUSES} then ledger_race() when exists (
    select from unnest(${anyLength(`$${SIBLINGS}::bigint[]`)}, $${SIBLINGS + 1}::smallint[], $${SIBLINGS + 2}::bigint[]) as s (wallet_id, currency_id, version)
    left join lateral (select version from account where wallet_id = s.wallet_id and currency_id = s.currency_id) a on true
    where a.version is distinct from s.version
  ) then ledger_race() when is_any_refused($${IDEMS}) then ledger_race() end`;

function transferValues(transfers: readonly TransferRow[]): string[] {
  const leg = (side: 'debit' | 'credit'): string[] => [
    plainArray(transfers.map((t) => t[side].walletId)),
    plainArray(transfers.map((t) => t[side].position)),
    plainArray(transfers.map((t) => t[side].seq)),
    plainArray(transfers.map((t) => t[side].balanceAfter)),
  ];
  return [
    plainArray(transfers.map((t) => t.id)),
    ...leg('debit'),
    ...leg('credit'),
    timeArray(transfers.map((t) => t.eventAt)),
    plainArray(transfers.map((t) => t.reverses)),
    plainArray(transfers.map((t) => t.holdId)),
    plainArray(transfers.map((t) => t.currency.id)),
    plainArray(transfers.map((t) => t.business.id)),
    plainArray(transfers.map((t) => (t.mayOverdraw ? 't' : 'f'))),
    plainArray(transfers.map((t) => t.amount)),
    plainArray(transfers.map((t) => t.requestHash)),
    textArray(transfers.map((t) => t.idem)),
    textArray(transfers.map((t) => t.rewardType)),
    textArray(transfers.map((t) => t.nodeId)),
    textArray(transfers.map((t) => t.reference)),
    textArray(transfers.map((t) => t.remark)),
  ];
}

function earningValues(books: Books): string[] {
  // In one order everywhere, so that two batches cannot wait for each other's rows.
  const rows = [...books.earnings.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  return [
    plainArray(rows.map((row) => row.userId)),
    plainArray(rows.map((row) => row.day)),
    plainArray(rows.map((row) => row.kindId)),
    plainArray(rows.map((row) => row.currencyId)),
    textArray(rows.map((row) => row.rewardType)),
    textArray(rows.map((row) => row.nodeId)),
    plainArray(rows.map((row) => row.amount)),
  ];
}

function touchedOf(books: Books): AccountState[] {
  return [...books.accounts.values()].filter((account) => account.isTouched);
}

function accountValues(touched: readonly AccountState[]): string[] {
  return [
    plainArray(touched.map((account) => account.walletId)),
    plainArray(touched.map((account) => account.currencyId)),
    plainArray(touched.map((account) => account.userId)),
    plainArray(touched.map((account) => readWalletId(account.walletId).kindId)),
    plainArray(touched.map((account) => (account.guarded ? 't' : 'f'))),
    plainArray(touched.map((account) => account.seq)),
    plainArray(touched.map((account) => (account.overdrawn ? 't' : 'f'))),
    plainArray(touched.map((account) => account.debits)),
    plainArray(touched.map((account) => account.credits)),
    plainArray(touched.map((account) => account.held)),
    plainArray(touched.map((account) => account.deposited)),
    plainArray(touched.map((account) => account.withdrawn)),
    plainArray(touched.map((account) => account.version)),
  ];
}

interface FullBlock {
  readonly walletId: number;
  readonly block: number;
}

/** Wallets that completed a block of positions in this batch, with the blocks. */
function fullBlocks(books: Books): FullBlock[] {
  const full: FullBlock[] = [];
  for (const transfer of books.transfers) {
    for (const { walletId, position } of [transfer.debit, transfer.credit]) {
      if (position % BLOCK === 0) full.push({ walletId, block: position / BLOCK - 1 });
    }
  }
  return full;
}

/** The lateral form asks the index once per block, whatever the planner believes of a table that grows so fast. */
const WRITE_BLOCKS = `insert into entry_block (wallet_id, block, currency_id, business_id, direction, entries)
  select b.wallet_id, b.block, counted.* from unnest(${anyLength('$1::bigint[]')}, $2::bigint[]) as b (wallet_id, block) cross join lateral (
    select currency_id, business_id, direction, count(*) from entry e
    where e.wallet_id = b.wallet_id and e.position > b.block * ${BLOCK} and e.position <= (b.block + 1) * ${BLOCK} group by 1, 2, 3
  ) counted`;

/** Counts what a block of 256 positions holds, once it is full; from then on it never changes. */
async function writeBlocks(tx: Transaction, full: readonly FullBlock[]): Promise<void> {
  await tx.prepared('ledger_write_blocks', WRITE_BLOCKS, [plainArray(full.map((row) => row.walletId)), plainArray(full.map((row) => row.block))]);
}

/** Accounts that the batch does not move, whose entries stand between those that it does; nobody can change those that it has locked. */
function siblingValues(books: Books): string[] {
  const siblings = books.isLocked ? [] : [...books.accounts.values()].filter((account) => !account.isTouched && account.seq > 0);
  return [
    plainArray(siblings.map((account) => account.walletId)),
    plainArray(siblings.map((account) => account.currencyId)),
    plainArray(siblings.map((account) => account.version)),
  ];
}

/** The version of an account is the beginning of the seal that covers its last change: no two batches share it, and as a number it is exact. */
const VERSION_BYTES = 6;

interface Sealed {
  readonly values: unknown[];
  /** The lane as the batch leaves it. */
  readonly lane: Lane;
  readonly version: number;
}

function sealRows(sealKey: KeyObject, books: Books): Sealed {
  const { head, mac, leaves } = sealBooks(sealKey, books.lane, books);
  return {
    values: [head.lane, head.position, head.firstTransfer, head.transfers, head.firstStep, head.steps, mac, leaves],
    lane: { lane: head.lane, seals: head.position, transfers: head.firstTransfer + head.transfers, steps: head.firstStep + head.steps, mac },
    version: mac.readUIntBE(0, VERSION_BYTES),
  };
}

/**
 * Writes them, and refuses to when the accounts or the lane have changed.
 * @param toError what a failure means
 */
export async function writeRows(tx: Transaction, sealKey: KeyObject, books: Books, isLast: boolean, toError: (error: unknown) => unknown): Promise<void> {
  const touched = touchedOf(books);
  const houses = touched.filter((account) => account.walletId < 0).length;
  const { values: seal, lane, version } = sealRows(sealKey, books);
  const rows = [...transferValues(books.transfers), ...earningValues(books), ...accountValues(touched)];
  const values = [books.createdAt, ...rows, ...seal, books.lane.mac, version, touched.length - houses, houses, books.referenceMark, ...siblingValues(books)];
  const full = fullBlocks(books);
  if (isLast) remember(tx, books, lane, version);
  if (isLast && full.length === 0) tx.commitWith('ledger_write', WRITE, values, toError);
  else await Promise.all([tx.prepared('ledger_write', WRITE, values), full.length > 0 && writeBlocks(tx, full)]);
}
