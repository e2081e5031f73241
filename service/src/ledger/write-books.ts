/** Writes a batch: transfers, entries, balances, roll-ups, holds and the seal over them. */
import type { KeyObject } from 'node:crypto';
import type { Transaction } from '../db/index.ts';
import { isUniqueViolation } from '../db/index.ts';
import { anyLength, plainArray, textArray, timeArray } from './arrays.ts';
import { type Books, CREDIT, DEBIT, type StepRow, type TransferRow } from './books.ts';
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
const EARNING = ['user_id bigint', 'day date', 'currency_id smallint', 'reward_type text', 'node_id text', 'amount numeric'];
const ACCOUNT = [
  ...['wallet_id bigint', 'currency_id smallint', 'user_id bigint', 'kind_id smallint', 'guarded boolean', 'seq bigint', 'overdrawn boolean'],
  ...['debits numeric', 'credits numeric', 'held numeric', 'deposited numeric', 'withdrawn numeric'],
];

/** Numbers of the parameters: the time first, then the arrays, then the seal. */
const FIRST = 2;
const SEAL = FIRST + TRANSFER.length + EARNING.length + ACCOUNT.length;
const IDEMS = FIRST + TRANSFER.findIndex((column) => column.startsWith('idem '));

/**
 * All rows of a batch in one statement. Entries are written from the transfers' own arrays: what both say is sent and
 * parsed once. The accounts are there and locked. They are written by `on conflict` all the same, because it asks the index
 * whatever the planner believed of the table when it made the plan: an `update … from` planned while the table was small
 * reads all of it. `ledger_race` fails with 40001: one of the names was refused to somebody else after this batch had looked.
 */
const WRITE = `with t as materialized (select ${columnsOf(TRANSFER, FIRST)}), written_transfer as (
  insert into transfer (id, debit_wallet, debit_position, credit_wallet, credit_position, event_at, created_at, reverses, hold_id, currency_id, business_id, may_overdraw, amount, request_hash, idem, reward_type, node_id, reference, remark)
  select id, debit_wallet, debit_position, credit_wallet, credit_position, event_at, $1, reverses, hold_id, currency_id, business_id, may_overdraw, amount, decode(request_hash, 'hex'), idem, reward_type, node_id, reference, remark from t
), written_entry as (
  insert into entry (wallet_id, position, seq, transfer_id, created_at, currency_id, business_id, direction, amount, balance_after)
  select debit_wallet, debit_position, debit_seq, id, $1::timestamptz, currency_id, business_id, ${DEBIT}::smallint, amount, debit_after from t
  union all select credit_wallet, credit_position, credit_seq, id, $1::timestamptz, currency_id, business_id, ${CREDIT}::smallint, amount, credit_after from t
), e as materialized (select ${columnsOf(EARNING, FIRST + TRANSFER.length)}), written_day as (
  insert into earning_day as d (user_id, day, currency_id, reward_type, node_id, amount) select * from e
  on conflict (user_id, day, currency_id, reward_type, node_id) do update set amount = d.amount + excluded.amount
), written_total as (
  insert into earning_total as t (user_id, currency_id, reward_type, amount)
  select user_id, currency_id, reward_type, sum(amount) from e group by 1, 2, 3 order by 1, 2, 3
  on conflict (user_id, currency_id, reward_type) do update set amount = t.amount + excluded.amount
), written_account as (
  insert into account (wallet_id, currency_id, user_id, kind_id, guarded, seq, overdrawn, debits, credits, held, deposited, withdrawn, posted_at)
  select *, $1 from (select ${columnsOf(ACCOUNT, FIRST + TRANSFER.length + EARNING.length)}) n
  on conflict (wallet_id, currency_id) do update set seq = excluded.seq, posted_at = excluded.posted_at, overdrawn = excluded.overdrawn,
    debits = excluded.debits, credits = excluded.credits, held = excluded.held, deposited = excluded.deposited, withdrawn = excluded.withdrawn
), written_seal as (
  insert into seal (lane, position, first_transfer, transfers, first_step, steps, created_at, mac, leaves)
  values ($${SEAL}, $${SEAL + 1}, $${SEAL + 2}, $${SEAL + 3}, $${SEAL + 4}, $${SEAL + 5}, $1, $${SEAL + 6}, $${SEAL + 7})
), written_lane as (
  update ledger_lane set seals = $${SEAL + 1}, transfers = $${SEAL + 2}::bigint + $${SEAL + 3}::int, steps = $${SEAL + 4}::bigint + $${SEAL + 5}::int, mac = $${SEAL + 6}
  where lane = $${SEAL}
)
select case when exists (
  select from unnest(${anyLength(`$${IDEMS}::text[]`)}) as n (idem) cross join lateral (select from refusal where idem = n.idem limit 1) r
) then ledger_race() end`;

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
    plainArray(rows.map((row) => row.currencyId)),
    textArray(rows.map((row) => row.rewardType)),
    textArray(rows.map((row) => row.nodeId)),
    plainArray(rows.map((row) => row.amount)),
  ];
}

function accountValues(books: Books): string[] {
  const touched = [...books.accounts.values()].filter((account) => account.isTouched);
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
  ];
}

/** A posting under the same name, or another post to a wallet that did not exist yet, came first: all of it may be tried again. */
export class LedgerRace extends Error {
  readonly code = '40001';
  constructor(cause: unknown) {
    super('another posting came first', { cause });
    this.name = 'LedgerRace';
  }
}

const RACED = ['transfer_idem_key', 'transfer_reverses_key', 'entry_pkey', 'hold_step_idem_key', 'refusal_pkey'];

async function writeRefusals(tx: Transaction, books: Books): Promise<void> {
  const { rowCount } = await tx.query(
    `insert into refusal (idem, request_hash, code, created_at) select idem, decode(hash, 'hex'), code, $4
     from unnest($1::text[], $2::text[], $3::text[]) as r (idem, hash, code)
     where not exists (select from transfer t where t.idem = r.idem)`,
    [
      textArray(books.refusals.map((row) => row.idem)),
      plainArray(books.refusals.map((row) => row.requestHash)),
      plainArray(books.refusals.map((row) => row.code)),
      books.createdAt,
    ],
  );
  // The same name was posted by somebody else after this batch had looked.
  if (rowCount < books.refusals.length) throw new LedgerRace('posted meanwhile');
}

async function writeHold(tx: Transaction, step: StepRow, at: Date): Promise<void> {
  const { terms, after } = step;
  if (!terms) {
    await tx.query('update hold set remaining = $2, state = $3, updated_at = $4 where id = $1', [step.holdId, after.remaining, after.state, at]);
    return;
  }
  await tx.query(
    `insert into hold (id, wallet_id, currency_id, business_id, amount, remaining, state, expires_at, created_at, updated_at, reference, remark)
     values ($1, $2, $3, $4, $5, $5, 'open', $6, $7, $7, $8, $9)`,
    [step.id, terms.walletId, terms.currency.id, terms.business.id, step.amount, terms.expiresAt, at, terms.reference, terms.remark],
  );
}

async function writeSteps(tx: Transaction, books: Books): Promise<void> {
  for (const step of books.steps) {
    await tx.query(
      "insert into hold_step (id, hold_id, kind, amount, transfer_id, created_at, request_hash, idem) values ($1, $2, $3, $4, $5, $6, decode($7, 'hex'), $8)",
      [step.id, step.holdId, step.kind, step.amount, step.transferId, books.createdAt, step.requestHash, step.idem],
    );
    await writeHold(tx, step, books.createdAt);
  }
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

function sealValues(sealKey: KeyObject, books: Books): unknown[] {
  const { head, mac, leaves } = sealBooks(sealKey, books.lane, books);
  return [head.lane, head.position, head.firstTransfer, head.transfers, head.firstStep, head.steps, mac, leaves];
}

function toRace(error: unknown): unknown {
  return RACED.some((constraint) => isUniqueViolation(error, constraint)) ? new LedgerRace(error) : error;
}

async function writeRows(tx: Transaction, sealKey: KeyObject, books: Books, isLast: boolean): Promise<void> {
  const rows = [...transferValues(books.transfers), ...earningValues(books), ...accountValues(books), ...sealValues(sealKey, books)];
  const values = [books.createdAt, ...rows];
  const full = fullBlocks(books);
  if (isLast && full.length === 0) tx.commitWith('ledger_write', WRITE, values, toRace);
  else await Promise.all([tx.prepared('ledger_write', WRITE, values), full.length > 0 && writeBlocks(tx, full)]);
}

/**
 * Writes the books. A race that only another try can settle comes out as a serialization failure, which `transaction` tries again.
 * @param isLast nothing follows in the transaction: it may fail after this has returned
 */
export async function writeBooks(tx: Transaction, sealKey: KeyObject, books: Books, { isLast = false } = {}): Promise<void> {
  try {
    if (books.refusals.length > 0) await writeRefusals(tx, books);
    if (books.steps.length > 0) await writeSteps(tx, books);
    if (books.transfers.length > 0 || books.steps.length > 0) await writeRows(tx, sealKey, books, isLast);
  } catch (error) {
    throw toRace(error);
  }
}
