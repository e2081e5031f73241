/** Credits deposits that are deep enough, in the transaction of the ledger. */
import { type Db, defineStatement, execute, transaction } from '../db/index.ts';
import { type Posting, postTransfers } from '../ledger/index.ts';
import { type Cursor, isAt, lockState } from './chain-state.ts';
import { recordDepositEvents } from './deposit-events.ts';
import type { DEPOSIT_REASONS } from './deposit-reasons.ts';
import type { ChainContext, Network } from './networks.ts';

const DEPOSITS_MAX = 1000;

/** What the watcher has read of the chain when it decides to credit. */
export interface CreditBasis {
  readonly cursor: Cursor;
  /** Highest block that may be credited, where the chain itself calls blocks final. */
  readonly finalizedHeight: number | undefined;
}

interface DueBlock {
  readonly height: number;
  readonly hash: string;
  /** Tokens of its deposits. */
  readonly tokens: readonly number[];
}

const IS_DUE = `deposit.network = :network and status = 'confirming'
  and block_number <= :cursor - required_confirmations + 1
  and block_number <= coalesce(:finalized, block_number)`;

const LIST_DUE_BLOCKS = defineStatement(
  'deposit_due_blocks',
  `select block_number as height, block_hash as hash, array_agg(distinct token_id) as tokens
   from deposit where ${IS_DUE}
   group by block_number, block_hash order by block_number limit ${DEPOSITS_MAX}`,
);

const toParameters = (network: Network, { cursor, finalizedHeight }: CreditBasis) => ({
  network: network.code,
  cursor: cursor.height,
  finalized: finalizedHeight ?? null,
});

/** Blocks that hold deposits which are deep enough now. */
export async function listDueBlocks(
  db: Db,
  network: Network,
  basis: CreditBasis,
): Promise<DueBlock[]> {
  return (await execute<DueBlock>(db, LIST_DUE_BLOCKS, toParameters(network, basis))).rows;
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

/**
 * Under the lock: still the stored canonical block, or one that has left the window, which only a
 * halt could replace.
 */
const LIST_DUE = defineStatement(
  'deposits_due',
  `select deposit.id, user_id, currency, amount, epoch, tx_hash, detected_at from deposit
   left join chain_block
     on chain_block.network = deposit.network and chain_block.height = deposit.block_number
   where ${IS_DUE} and block_hash = any(:hashes::text[])
     and (chain_block.hash = block_hash or (chain_block.hash is null and block_number <
       (select coalesce(min(height), :cursor::bigint + 1) from chain_block as oldest
         where oldest.network = :network)))
   order by deposit.id limit ${DEPOSITS_MAX} for update of deposit`,
);

/**
 * The idempotency key of the credit of a deposit; each time that the chain includes it again is
 * another credit.
 */
export function toCreditKey(id: number, epoch: number): string {
  return `deposit/${id}/${epoch}`;
}

function toPosting(row: DueRow, network: Network): Posting {
  return {
    idempotencyKey: toCreditKey(row.id, row.epoch + 1),
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

const REFUSED_CODE: keyof typeof DEPOSIT_REASONS.texts = 'ledger_refused';

/** Refused deposits are put on hold, with the code of the refusal. */
const WRITE_RESULTS = defineStatement(
  'deposit_credit',
  `update deposit set confirmed_at = :now,
     status = case when refusal is null then 'credited' else 'on_hold' end,
     reason_code = case when refusal is not null then :reason_code end,
     reason_values = case when refusal is not null then jsonb_build_object('code', refusal) end,
     epoch = case when refusal is null then epoch + 1 else epoch end,
     credited_at = case when refusal is null then :now else credited_at end,
     reversed_at = case when refusal is not null then reversed_at end
   from unnest(:ids::bigint[], :refusals::text[]) as result (deposit_id, refusal)
   where id = deposit_id`,
);

/**
 * Credits deposits of the given blocks, whose hashes were checked with every endpoint that answers.
 * @returns how many were decided, or undefined when another watcher has moved the cursor meanwhile
 */
export async function creditDeposits(
  db: Db,
  { network, clock }: ChainContext,
  basis: CreditBasis,
  hashes: readonly string[],
): Promise<number | undefined> {
  return transaction(db, async (tx) => {
    if (!isAt(await lockState(tx, network.code), basis.cursor)) return undefined;
    const due = { ...toParameters(network, basis), hashes };
    const { rows } = await execute<DueRow>(tx, LIST_DUE, due);
    if (rows.length === 0) return 0;
    const results = await postTransfers(
      tx,
      rows.map((row) => toPosting(row, network)),
    );
    await execute(tx, WRITE_RESULTS, {
      ids: rows.map(({ id }) => id),
      refusals: results.map((result) => (result.status === 'refused' ? result.code : null)),
      reason_code: REFUSED_CODE,
      now: clock.now(),
    });
    await recordDepositEvents(tx, clock, rows);
    return rows.length;
  });
}
