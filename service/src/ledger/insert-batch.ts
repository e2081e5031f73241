/**
 * Inserts the rows of a batch in one statement: transfers, entries, balances, earning totals and
 * the seal over them.
 */
import type { KeyObject } from 'node:crypto';
import {
  booleanArray,
  defineStatement,
  execute,
  hideLength,
  inOrder,
  plainArray,
  type Transaction,
  textArray,
  timeArray,
  unnestColumns,
} from '../db/index.ts';
import {
  type AccountState,
  type BatchState,
  CREDIT,
  DEBIT,
  type EarningRow,
  type TransferRow,
} from './batch-state.ts';
import { BLOCK, entriesOfBlock } from './packed-entries.ts';
import { sealBatchState } from './seal.ts';
import { readWalletId } from './wallet-ids.ts';

const TRANSFER = {
  id: 'bigint',
  debit_wallet: 'bigint',
  debit_position: 'bigint',
  debit_seq: 'bigint',
  debit_after: 'numeric',
  credit_wallet: 'bigint',
  credit_position: 'bigint',
  credit_seq: 'bigint',
  credit_after: 'numeric',
  event_at: 'timestamptz',
  reverses: 'bigint',
  hold_id: 'bigint',
  currency_id: 'smallint',
  business_id: 'smallint',
  may_overdraw: 'boolean',
  amount: 'numeric',
  request_hash: 'text',
  idempotency_key: 'text',
  reward_type: 'text',
  node_id: 'text',
  reference: 'text',
  remark: 'text',
};
const EARNING = {
  user_id: 'bigint',
  day: 'date',
  kind_id: 'smallint',
  currency_id: 'smallint',
  reward_type: 'text',
  node_id: 'text',
  amount: 'numeric',
};
const ACCOUNT = {
  wallet_id: 'bigint',
  currency_id: 'smallint',
  user_id: 'bigint',
  kind_id: 'smallint',
  guarded: 'boolean',
  seq: 'bigint',
  overdrawn: 'boolean',
  debits: 'numeric',
  credits: 'numeric',
  held: 'numeric',
  deposited: 'numeric',
  withdrawn: 'numeric',
};

/**
 * Accounts are written by `on conflict` although they exist, because that asks the index. An
 * `update … from` that is planned while the table is small reads all of it.
 * `raise_reference_data_changed` fails with 40001 when a currency, transaction type or kind of
 * wallet may no longer be what the batch took it for; `raise_key_refused` when a key was refused to
 * another request after the batch had looked.
 */
const INSERT_BATCH = defineStatement(
  'ledger_insert_batch',
  `with t as materialized (select ${unnestColumns('t', TRANSFER)}), written_transfer as (
  insert into transfer (id, debit_wallet, debit_position, credit_wallet, credit_position, event_at,
    created_at, reverses,
    hold_id, currency_id, business_id, may_overdraw, amount, request_hash, idempotency_key,
      reward_type, node_id, reference, remark)
  select id, debit_wallet, debit_position, credit_wallet, credit_position, event_at, :at, reverses,
    hold_id, currency_id, business_id, may_overdraw, amount, decode(request_hash, 'hex'),
      idempotency_key, reward_type, node_id,
    reference, remark from t
), written_entry as (
  insert into entry (wallet_id, position, seq, transfer_id, created_at, currency_id, business_id,
    direction, amount,
    balance_after)
  select debit_wallet, debit_position, debit_seq, id, :at::timestamptz, currency_id, business_id,
    ${DEBIT}::smallint,
    amount, debit_after from t
  union all
  select credit_wallet, credit_position, credit_seq, id, :at::timestamptz, currency_id, business_id,
    ${CREDIT}::smallint,
    amount, credit_after from t
), e as materialized (select ${unnestColumns('e', EARNING)}), written_day as (
  insert into earning_day as d (user_id, day, currency_id, reward_type, node_id, amount)
  select user_id, day, currency_id, reward_type, node_id, sum(amount) from e group by 1, 2, 3, 4, 5
    order by 1, 2, 3, 4, 5
  on conflict (user_id, day, currency_id, reward_type, node_id) do update
    set amount = d.amount + excluded.amount
), written_total as (
  insert into earning_total as t (user_id, kind_id, currency_id, reward_type, amount)
  select user_id, kind_id, currency_id, reward_type, sum(amount) from e group by 1, 2, 3, 4
    order by 1, 2, 3, 4
  on conflict (user_id, kind_id, currency_id, reward_type) do update
    set amount = t.amount + excluded.amount
), written_account as (
  insert into account as a (wallet_id, currency_id, user_id, kind_id, guarded, seq, overdrawn,
    debits, credits, held,
    deposited, withdrawn, posted_at)
  select *, :at from (select ${unnestColumns('a', ACCOUNT)}) n
  on conflict (wallet_id, currency_id) do update set seq = excluded.seq,
    posted_at = excluded.posted_at,
    overdrawn = excluded.overdrawn, debits = excluded.debits, credits = excluded.credits,
      held = excluded.held,
    deposited = excluded.deposited, withdrawn = excluded.withdrawn
), written_seal as (
  insert into batch_seal (shard, position, first_transfer, transfers, first_step, steps, created_at,
    mac, leaves)
  values (:shard, :position, :first_transfer, :transfers, :first_step, :steps, :at, :mac, :leaves)
), written_shard as (
  update ledger_shard set seals = :position, transfers = :first_transfer::bigint + :transfers::int,
    steps = :first_step::bigint + :steps::int, refusals = :refusals, mac = :mac
  where shard = :shard
)
select case
  when (select mark from reference_data_version) is distinct from :reference_data_version::uuid
    then raise_reference_data_changed()
  when has_refused_key(:t_idempotency_key) then raise_serialization_failure() end`,
);

function transferValues(transfers: readonly TransferRow[]) {
  const leg = (side: 'debit' | 'credit') => ({
    [`t_${side}_wallet`]: plainArray(transfers.map((t) => t[side].walletId)),
    [`t_${side}_position`]: plainArray(transfers.map((t) => t[side].position)),
    [`t_${side}_seq`]: plainArray(transfers.map((t) => t[side].seq)),
    [`t_${side}_after`]: plainArray(transfers.map((t) => t[side].balanceAfter)),
  });
  return {
    t_id: plainArray(transfers.map((t) => t.id)),
    ...leg('debit'),
    ...leg('credit'),
    t_event_at: timeArray(transfers.map((t) => t.eventAt)),
    t_reverses: plainArray(transfers.map((t) => t.reverses)),
    t_hold_id: plainArray(transfers.map((t) => t.holdId)),
    t_currency_id: plainArray(transfers.map((t) => t.currency.id)),
    t_business_id: plainArray(transfers.map((t) => t.business.id)),
    t_may_overdraw: booleanArray(transfers.map((t) => t.mayOverdraw)),
    t_amount: plainArray(transfers.map((t) => t.amount)),
    t_request_hash: plainArray(transfers.map((t) => t.requestHash)),
    t_idempotency_key: textArray(transfers.map((t) => t.idempotencyKey)),
    t_reward_type: textArray(transfers.map((t) => t.rewardType)),
    t_node_id: textArray(transfers.map((t) => t.nodeId)),
    t_reference: textArray(transfers.map((t) => t.reference)),
    t_remark: textArray(transfers.map((t) => t.remark)),
  };
}

function earningValues(earnings: ReadonlyMap<string, EarningRow>) {
  // Sorted, so that two batches lock the same rows in the same order.
  const rows = [...earnings.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  return {
    e_user_id: plainArray(rows.map((row) => row.userId)),
    e_day: plainArray(rows.map((row) => row.day)),
    e_kind_id: plainArray(rows.map((row) => row.kindId)),
    e_currency_id: plainArray(rows.map((row) => row.currencyId)),
    e_reward_type: textArray(rows.map((row) => row.rewardType)),
    e_node_id: textArray(rows.map((row) => row.nodeId)),
    e_amount: plainArray(rows.map((row) => row.amount)),
  };
}

function accountValues(accounts: readonly AccountState[]) {
  return {
    a_wallet_id: plainArray(accounts.map((account) => account.walletId)),
    a_currency_id: plainArray(accounts.map((account) => account.currencyId)),
    a_user_id: plainArray(accounts.map((account) => account.userId)),
    a_kind_id: plainArray(accounts.map((account) => readWalletId(account.walletId).kindId)),
    a_guarded: booleanArray(accounts.map((account) => account.isOverdraftProtected)),
    a_seq: plainArray(accounts.map((account) => account.seq)),
    a_overdrawn: booleanArray(accounts.map((account) => account.isOverdrawn)),
    a_debits: plainArray(accounts.map((account) => account.debits)),
    a_credits: plainArray(accounts.map((account) => account.credits)),
    a_held: plainArray(accounts.map((account) => account.onHold)),
    a_deposited: plainArray(accounts.map((account) => account.deposited)),
    a_withdrawn: plainArray(accounts.map((account) => account.withdrawn)),
  };
}

function sealValues(sealKey: KeyObject, batch: BatchState) {
  const { head, mac, leaves } = sealBatchState(sealKey, batch.shard, batch);
  const { shard, position, firstTransfer, transfers, firstStep, steps } = head;
  return {
    shard,
    position,
    first_transfer: firstTransfer,
    transfers,
    first_step: firstStep,
    steps,
    refusals: batch.shard.refusals + batch.refusals.length,
    mac,
    leaves,
  };
}

interface FullBlock {
  readonly walletId: number;
  readonly block: number;
}

/** Wallets that completed a block of positions in this batch, with the blocks. */
function findFullBlocks(batch: BatchState): FullBlock[] {
  const full: FullBlock[] = [];
  for (const transfer of batch.transfers) {
    for (const { walletId, position } of [transfer.debit, transfer.credit]) {
      if (position % BLOCK === 0) full.push({ walletId, block: position / BLOCK - 1 });
    }
  }
  return full;
}

/**
 * Counts the entries of a full block; from then on they never change. The lateral form asks the
 * index once per block.
 */
const INSERT_BLOCKS = defineStatement(
  'ledger_insert_blocks',
  `insert into entry_count_block (wallet_id, block, currency_id, business_id, direction, entries)
  select b.wallet_id, b.block, counted.*
  from unnest(${hideLength(':wallets::bigint[]')}, :blocks::bigint[]) as b (wallet_id, block)
    cross join lateral (
    select currency_id, business_id, direction, count(*)
    from ${entriesOfBlock('b.wallet_id', 'b.block')} e
    group by 1, 2, 3
  ) counted`,
);

/** Inserts the rows of a batch whose accounts and shard are locked. */
export async function insertBatch(
  tx: Transaction,
  sealKey: KeyObject,
  batch: BatchState,
): Promise<void> {
  const full = findFullBlocks(batch);
  const inserted = execute(tx, INSERT_BATCH, {
    at: batch.createdAt,
    ...transferValues(batch.transfers),
    ...earningValues(batch.earnings),
    ...accountValues([...batch.accounts.values()].filter((account) => account.isDirty)),
    ...sealValues(sealKey, batch),
    reference_data_version: batch.referenceVersion,
  });
  const blocks =
    full.length > 0 &&
    execute(tx, INSERT_BLOCKS, {
      wallets: plainArray(full.map((row) => row.walletId)),
      blocks: plainArray(full.map((row) => row.block)),
    });
  await inOrder([inserted, blocks]);
}
