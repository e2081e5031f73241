/** Credits what is deep enough, in the ledger's own transaction. */
import { type Db, type Transaction, transaction } from '../db/index.ts';
import { type Posting, type PostResult, postTransfers } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { Cursor } from './chain-state.ts';
import { isAt, lockState } from './chain-state.ts';
import { recordDepositEvents } from './deposit-events.ts';
import { DEPOSIT_REASONS } from './deposit-reasons.ts';
import type { Network } from './networks.ts';

const AT_ONCE = 1000;

/** What the watcher has seen of the chain when it decides to credit. */
export interface CreditBasis {
  readonly cursor: Cursor;
  /** Highest block that may be credited, where the chain itself says what is final. */
  readonly finalizedHeight: number | undefined;
}

interface DueBlock {
  readonly height: number;
  readonly hash: string;
  /** Tokens of its deposits. */
  readonly tokens: readonly number[];
}

const IS_DUE = `deposit.network = $1 and status = 'confirming'
  and block_number <= $2 - required_confirmations + 1 and block_number <= coalesce($3, block_number)`;

/** Blocks that hold deposits which are deep enough now. */
export async function listDueBlocks(
  db: Db,
  network: Network,
  { cursor, finalizedHeight }: CreditBasis,
): Promise<DueBlock[]> {
  const { rows } = await db.query<DueBlock>(
    `select block_number as height, block_hash as hash, array_agg(distinct token_id) as tokens from deposit where ${IS_DUE}
     group by block_number, block_hash order by block_number limit ${AT_ONCE}`,
    [network.code, cursor.height, finalizedHeight ?? null],
  );
  return rows;
}

interface DueRow {
  id: number;
  user_id: number;
  currency: string;
  amount: string;
  epoch: number;
  tx_hash: string;
  detected_at: Date;
}

/** Under the lock: still the stored canonical block, or one that has left the window, which only a halt could replace. */
const DUE = `select deposit.id, user_id, currency, amount, epoch, tx_hash, detected_at from deposit
  left join chain_block on chain_block.network = deposit.network and chain_block.height = deposit.block_number
  where ${IS_DUE} and block_hash = any($4::text[])
    and (chain_block.hash = block_hash or (chain_block.hash is null and block_number <
      (select coalesce(min(height), $2::bigint + 1) from chain_block as oldest where oldest.network = $1)))
  order by deposit.id limit ${AT_ONCE} for update of deposit`;

/** Under which the ledger has the credit of a deposit; each time that the chain holds it anew is another. */
export function creditName(id: number, epoch: number): string {
  return `deposit/${id}/${epoch}`;
}

function toPosting(row: DueRow, network: Network): Posting {
  return {
    idempotencyKey: creditName(row.id, row.epoch + 1),
    debit: { house: 'deposit_clearing' },
    credit: { userId: row.user_id, wallet: 'asset' },
    currency: row.currency,
    amount: BigInt(row.amount),
    businessId: 'deposit',
    eventAt: row.detected_at,
    reference: row.tx_hash,
    remark: network.code,
  };
}

const CREDIT = `update deposit set status = 'credited', reason = null, epoch = epoch + 1, confirmed_at = $2, credited_at = $2, reversed_at = null
  where id = any($1::bigint[])`;
const HOLD = `update deposit set status = 'on_hold', reason = why, confirmed_at = $3
  from unnest($1::bigint[], $2::text[]) as item (refused_id, why) where deposit.id = refused_id`;

async function markResults(
  tx: Transaction,
  clock: Clock,
  rows: readonly DueRow[],
  results: readonly PostResult[],
): Promise<void> {
  const at = clock.now();
  const refused = rows.flatMap((row, i) => {
    const result = results[i];
    return result?.status === 'refused' ? [{ id: row.id, code: result.code }] : [];
  });
  const isRefused = new Set(refused.map(({ id }) => id));
  const credited = rows.filter((row) => !isRefused.has(row.id)).map((row) => row.id);
  if (credited.length > 0) await tx.query(CREDIT, [credited, at]);
  if (refused.length > 0)
    await tx.query(HOLD, [
      refused.map(({ id }) => id),
      refused.map(({ code }) => DEPOSIT_REASONS.say('ledger_refused', { code })),
      at,
    ]);
  await recordDepositEvents(
    tx,
    clock,
    rows.map((row) => row.id),
  );
}

/**
 * Credits deposits of the given blocks, whose hashes were checked with every node that answers.
 * @returns how many were decided, or undefined when another watcher has moved the cursor meanwhile
 */
export async function creditDeposits(
  db: Db,
  clock: Clock,
  network: Network,
  basis: CreditBasis,
  hashes: readonly string[],
): Promise<number | undefined> {
  return transaction(db, async (tx) => {
    if (!isAt(await lockState(tx, network.code), basis.cursor)) return undefined;
    const { rows } = await tx.query<DueRow>(DUE, [
      network.code,
      basis.cursor.height,
      basis.finalizedHeight ?? null,
      hashes,
    ]);
    if (rows.length === 0) return 0;
    const results = await postTransfers(
      tx,
      rows.map((row) => toPosting(row, network)),
    );
    await markResults(tx, clock, rows, results);
    return rows.length;
  });
}
