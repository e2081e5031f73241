/**
 * Writes the transfers that were found in blocks as deposits: new ones, and those that come back
 * after a reorganisation.
 */
import { defineStatement, execute, type Transaction } from '../db/index.ts';
import { listCurrencies } from '../ledger/index.ts';
import { type CodedMessage, fromColumns } from '../lib/coded-messages.ts';
import { RpcError } from './chains/json-rpc.ts';
import { NODE_ERRORS } from './chains/node-errors.ts';
import { classifyDeposit, type Decision, type Payment } from './classify-deposit.ts';
import { recordDepositEvents } from './deposit-events.ts';
import type { FoundTransfer } from './find-transfers.ts';
import { type ChainContext, listTokens } from './networks.ts';
import type { DepositStatus } from './schemas.ts';

interface StoredDeposit {
  tx_hash: string;
  ordinal: number;
  block_hash: string;
  status: DepositStatus;
  decision: Decision | null;
  decision_reason_code: string | null;
  decision_reason_values: CodedMessage['values'] | null;
}

const FIND_STORED = defineStatement(
  'deposits_stored',
  `select tx_hash, ordinal, block_hash, status, decision, decision_reason_code,
     decision_reason_values
   from deposit where network = :network and (tx_hash, ordinal) in
     (select * from unnest(:tx_hashes::text[], :ordinals::int[])) for update`,
);

/** A transfer that comes back may differ in all but its key: everything is written anew. */
const WRITE_DEPOSITS = defineStatement(
  'deposit_write',
  `insert into deposit (network, tx_hash, ordinal, user_id, address_id, token_id, contract,
     currency, from_address, raw_amount, decimals, amount, block_number, block_hash,
     required_confirmations, status, reason_code, reason_values, detected_at)
   select :network, item.*, :now from jsonb_to_recordset(:items) as item (tx_hash text,
     ordinal int, user_id bigint, address_id bigint, token_id int, contract text, currency text,
     from_address text, raw_amount numeric, decimals int, amount numeric, block_number bigint,
     block_hash text, required_confirmations int, status text, reason_code text,
     reason_values jsonb)
   on conflict on constraint deposit_event_key do update set user_id = excluded.user_id,
     address_id = excluded.address_id, token_id = excluded.token_id,
     contract = excluded.contract, currency = excluded.currency,
     from_address = excluded.from_address, raw_amount = excluded.raw_amount,
     decimals = excluded.decimals, amount = excluded.amount,
     block_number = excluded.block_number, block_hash = excluded.block_hash,
     required_confirmations = excluded.required_confirmations, status = excluded.status,
     reason_code = excluded.reason_code, reason_values = excluded.reason_values
   returning id`,
);

type Judge = (transfer: FoundTransfer, stored: StoredDeposit | undefined) => object;

/** Judges transfers by the tokens as they are configured in this transaction. */
async function createJudge(tx: Transaction, { network }: ChainContext): Promise<Judge> {
  const tokens = new Map(
    (await listTokens(tx, network.code)).map((token) => [token.contract, token]),
  );
  const currencies = new Map(
    (await listCurrencies(tx)).map((currency) => [currency.code, currency]),
  );
  return (transfer, stored) => {
    const token = tokens.get(transfer.contract?.toLowerCase());
    const payment: Payment = {
      network: network.code,
      contract: transfer.contract,
      rawAmount: transfer.amount,
      decision: stored?.decision ?? undefined,
      decisionReason:
        stored && fromColumns(stored.decision_reason_code, stored.decision_reason_values),
    };
    const verdict = classifyDeposit(payment, token, token && currencies.get(token.currency));
    return {
      tx_hash: transfer.txHash,
      ordinal: transfer.ordinal,
      user_id: transfer.userId,
      address_id: transfer.addressId,
      token_id: token?.id,
      contract: transfer.contract,
      currency: verdict.currency,
      from_address: transfer.from,
      raw_amount: transfer.amount.toString(),
      decimals: verdict.decimals,
      amount: verdict.amount.toString(),
      block_number: transfer.height,
      block_hash: transfer.blockHash,
      required_confirmations: Math.max(network.requiredConfirmations, transfer.confirmationsMin),
      status: verdict.status,
      reason_code: verdict.reason?.code,
      reason_values: verdict.reason?.values,
    };
  };
}

const toKey = (txHash: string, ordinal: number): string => `${txHash}/${ordinal}`;

/**
 * Stores transfers; run it under the lock of the chain's state. Deposits that are stored already
 * stay as they are.
 * @returns how many deposits are new or came back
 * @throws RpcError when the same transfer is in two blocks of one chain
 */
export async function storeTransfers(
  tx: Transaction,
  chain: ChainContext,
  found: readonly FoundTransfer[],
): Promise<number> {
  if (found.length === 0) return 0;
  const { rows } = await execute<StoredDeposit>(tx, FIND_STORED, {
    network: chain.network.code,
    tx_hashes: found.map(({ txHash }) => txHash),
    ordinals: found.map(({ ordinal }) => ordinal),
  });
  const stored = new Map(rows.map((row) => [toKey(row.tx_hash, row.ordinal), row]));
  const judge = await createJudge(tx, chain);
  const items = found.flatMap((transfer) => {
    const known = stored.get(toKey(transfer.txHash, transfer.ordinal));
    if (!known || known.status === 'orphaned' || known.status === 'reversed')
      return [judge(transfer, known)];
    if (known.block_hash === transfer.blockHash) return [];
    const reason = NODE_ERRORS.create('transaction_in_two_blocks', {
      transaction: transfer.txHash,
    });
    throw new RpcError('contradiction', reason);
  });
  const { rows: written } = await execute<{ id: number }>(tx, WRITE_DEPOSITS, {
    network: chain.network.code,
    items: JSON.stringify(items),
    now: chain.clock.now(),
  });
  await recordDepositEvents(tx, chain.clock, written);
  return written.length;
}
