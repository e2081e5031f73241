/** A wallet in an interval: what it began and ended with, and every bill between. */
import { type Db, defineStatement, execute } from '../db/index.ts';
import {
  type BalanceChange,
  compareBalances,
  findWalletId,
  type Interval,
  readWalletsAt,
} from './balances-at.ts';
import { BILL_COLUMNS, BILLS, type Bill, type BillRow, toBills } from './bill-mapping.ts';
import { entriesBetween } from './packed-entries.ts';
import { referenceOf } from './reference-data.ts';
import type { AccountRef } from './types.ts';

/** Positions of entries: `low < position <= high`. */
interface Positions {
  readonly low: number;
  readonly high: number;
}

const OLDEST_FIRST = defineStatement(
  'bills_oldest_first',
  `select ${BILL_COLUMNS} from ${BILLS}
  order by e.position`,
);
/** Bills read at once: bounds both memory and the time of a statement. */
const BILLS_AT_ONCE = 1000;

const SUMS = defineStatement(
  'bills_sums',
  `select currency_id, direction, sum(amount)::text as amount
  from ${entriesBetween(':wallet_id::bigint', ':low::bigint', ':high::bigint')} e
  group by currency_id, direction`,
);
/** Entries added up at once, for the same reason. */
const SUMMED_AT_ONCE = 10_000;

interface SumRow {
  readonly currency_id: number;
  readonly direction: number;
  readonly amount: string;
}

/** What came in and went out, both positive. */
interface Movement {
  readonly incoming: bigint;
  readonly outgoing: bigint;
}

export interface StatementChange extends BalanceChange, Movement {}

export interface WalletStatement {
  /** Every currency that ever had a bill. */
  readonly changes: readonly StatementChange[];
  /** Oldest first. */
  readonly bills: AsyncIterable<Bill[]>;
}

function* splitPositions({ low, high }: Positions, size: number): Generator<Positions> {
  for (let at = low; at < high; at += size) yield { low: at, high: Math.min(high, at + size) };
}

async function* readBetween(
  db: Db,
  walletId: number,
  positions: Positions,
): AsyncGenerator<Bill[]> {
  for (const piece of splitPositions(positions, BILLS_AT_ONCE)) {
    const values = { wallet_id: walletId, ...piece };
    yield await toBills(db, (await execute<BillRow>(db, OLDEST_FIRST, values)).rows);
  }
}

/** By the code of the currency. */
async function readMovements(
  db: Db,
  walletId: number,
  positions: Positions,
): Promise<ReadonlyMap<string, Movement>> {
  const found: SumRow[] = [];
  for (const piece of splitPositions(positions, SUMMED_AT_ONCE))
    found.push(...(await execute<SumRow>(db, SUMS, { wallet_id: walletId, ...piece })).rows);
  const currencies = found.map((row) => row.currency_id);
  const { currenciesById } = await referenceOf(db, { currencies });
  const movements = new Map<string, Movement>();
  for (const { currency_id, direction, amount } of found) {
    const code = currenciesById.get(currency_id)?.code ?? '';
    const { incoming, outgoing } = movements.get(code) ?? { incoming: 0n, outgoing: 0n };
    movements.set(code, {
      incoming: direction === 1 ? incoming + BigInt(amount) : incoming,
      outgoing: direction === 1 ? outgoing : outgoing + BigInt(amount),
    });
  }
  return movements;
}

const STILL: Movement = { incoming: 0n, outgoing: 0n };

/**
 * A wallet in an interval. Its ends are fixed once, and entries never change: the bills make up the
 * changes, whatever is posted while they are read.
 */
export async function readWalletStatement(
  db: Db,
  account: AccountRef,
  { from, before }: Interval,
): Promise<WalletStatement> {
  const walletId = await findWalletId(db, account);
  const { at, currencies } = await readWalletsAt(db, walletId, [from, before]);
  const [start, end] = [at(from), at(before)];
  const positions = { low: start.position, high: end.position };
  const movements = await readMovements(db, walletId, positions);
  return {
    changes: compareBalances(currencies, start, end).map((change) => ({
      ...change,
      ...(movements.get(change.currency) ?? STILL),
    })),
    bills: readBetween(db, walletId, positions),
  };
}
